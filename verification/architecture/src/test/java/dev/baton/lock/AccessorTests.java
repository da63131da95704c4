package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that accessors are named by what they return, {@code holder()}. {@code holder()} is for methods that a type
 * of another library declares or reads.
 */
class AccessorTests {

    @Test
    void accessorsHaveNoPrefix() {
        assertThat(new ClassFileImporter()
                        .importPaths(Libraries.LOCKS).stream()
                                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                                .flatMap(type -> type.getMethods().stream())
                                .filter(AccessorTests::isGetter)
                                .filter(method -> !isDeclaredElsewhere(method))
                                .map(method -> method.getOwner().getSimpleName() + "." + method.getName()))
                .containsExactlyInAnyOrder(
                        // as in ReentrantLock
                        "DistributedMutex.getHoldCount",
                        // read by SpEL as properties
                        "LockExpressionRoot.getMethod",
                        "LockExpressionRoot.getTarget",
                        "LockExpressionRoot.getTargetClass",
                        "LockExpressionRoot.getArgs");
    }

    private static boolean isGetter(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && method.getName().matches("get[A-Z].*")
                && method.getRawParameterTypes().isEmpty();
    }

    private static boolean isDeclaredElsewhere(JavaMethod method) {
        JavaClass owner = method.getOwner();
        return Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .anyMatch(type -> type.tryGetMethod(method.getName()).isPresent());
    }
}
