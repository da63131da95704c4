package dev.baton.lock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.baton.lock.observation.LockMeters;
import dev.baton.lock.store.StoreException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the packages for observation, endpoints and the board only listen to the engine, which does not depend on
 * them.
 */
class OutsideLayerTests {

    private static final String ROOT = "dev.baton.lock";
    private static final String[] OUTSIDE = {
        layer("observation"), layer("actuate"), layer("board"), layer("autoconfigure")
    };

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private static final ArchRule ENGINE = noClasses()
            .that()
            .resideOutsideOfPackages(OUTSIDE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(OUTSIDE)
            .because("the engine only notifies its listeners");

    @Test
    void engineDoesNotDependOnItsObservers() {
        ENGINE.check(CLASSES);
    }

    @Test
    void dependencyOnAnObserverIsFound() {
        assertThatThrownBy(() -> ENGINE.check(new ClassFileImporter().importClasses(EngineWithMeters.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(LockMeters.class.getName());
    }

    /** Allowed are contracts and listeners, the public template, clocks, and the exception of a store. */
    @ParameterizedTest
    @CsvSource({"observation, ''", "actuate, ''", "board, actuate"})
    void usesContractsAndTheTemplateOnly(String layer, String more) {
        noClasses()
                .that()
                .resideInAPackage(layer(layer))
                .should()
                .dependOnClassesThat(oursOutside(layer(layer), ROOT, layer("support"), layer("time"), layer(more))
                        .and(DescribedPredicate.not(JavaClass.Predicates.equivalentTo(StoreException.class))))
                .because("an observer of locks must not take part in locking")
                .check(CLASSES);
    }

    /** Each package has an optional dependency of its own, so that the others work without that dependency. */
    @ParameterizedTest
    @CsvSource({
        "observation, io.micrometer..",
        "actuate, org.springframework.boot.actuate..",
        "board, org.springframework.web.."
    })
    void optionalDependencyIsUsedByItsPackageOnly(String layer, String dependency) {
        noClasses()
                .that()
                .resideOutsideOfPackages(layer(layer), layer("autoconfigure"), layer("boot3"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(dependency)
                .because("it is optional")
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> oursOutside(String... packages) {
        Set<String> allowed = Arrays.stream(packages).collect(Collectors.toSet());
        return JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(allowed.toArray(String[]::new)));
    }

    private static String layer(String name) {
        return name.isEmpty() ? ROOT : ROOT + "." + name + "..";
    }

    /** A class of the root package, as part of the engine. */
    static class EngineWithMeters {

        LockMeters meters;
    }
}
