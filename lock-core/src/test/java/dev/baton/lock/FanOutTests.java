package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * No class knows more than 15 others of ours, but for those named here with how many they know: a figure may only become smaller.
 * Types count once with all that is nested in them; records, enums and exceptions are values and do not count.
 */
class FanOutTests {

    private static final int MOST = 15;

    private static final Map<String, Integer> EXCEPTIONS =
            Map.of("LeaseAcquirer", 23, "DefaultLease", 17, "LockEngine", 18, "LockTemplate", 18, "StoreSession", 20);

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.baton.lock");

    @Test
    void classesKnowFewOthers() {
        Map<String, Integer> more = knownBy().entrySet().stream()
                .filter(entry -> entry.getValue().size() > MOST)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().size()));
        assertThat(new TreeMap<>(more)).isEqualTo(new TreeMap<>(EXCEPTIONS));
    }

    private static Map<String, Set<String>> knownBy() {
        Map<String, Set<String>> known = new HashMap<>();
        for (JavaClass one : CLASSES) {
            JavaClass from = top(one);
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                JavaClass to = top(dependency.getTargetClass().getBaseComponentType());
                if (to.getPackageName().startsWith("dev.baton.lock") && !to.equals(from) && !isValue(to)) {
                    known.computeIfAbsent(from.getSimpleName(), name -> new HashSet<>())
                            .add(to.getName());
                }
            }
        }
        return known;
    }

    private static JavaClass top(JavaClass one) {
        JavaClass top = one;
        while (top.getEnclosingClass().isPresent()) {
            top = top.getEnclosingClass().get();
        }
        return top;
    }

    private static boolean isValue(JavaClass one) {
        return one.isRecord() || one.isEnum() || one.isAssignableTo(Throwable.class);
    }
}
