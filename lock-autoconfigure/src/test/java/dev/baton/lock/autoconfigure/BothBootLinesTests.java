package dev.baton.lock.autoconfigure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;

/** Tests that the jar, which runs on Spring Boot 3.5 and 4, links to no type with different names in the two lines. */
class BothBootLinesTests {

    private static final ArchRule RULE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(LockHealthAutoConfiguration.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot.data..",
                    "org.springframework.boot.autoconfigure.data..",
                    "org.springframework.boot.health..",
                    "org.springframework.boot.actuate.health..",
                    "org.springframework.boot.micrometer..",
                    "org.springframework.boot.actuate.autoconfigure.metrics..",
                    "org.springframework.boot.actuate.autoconfigure.observation..",
                    "org.springframework.boot.actuate.autoconfigure.health..",
                    "org.springframework.boot.transaction..",
                    "org.springframework.boot.autoconfigure.transaction..")
            .because("it moved: name it in a string (afterName), or keep one conditional class per line");

    @Test
    void linksToNoTypeThatMovedBetweenTheLines() {
        RULE.check(new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.baton.lock"));
    }

    @Test
    void linkInAnAnnotationIsFound() {
        assertThatThrownBy(() -> RULE.check(new ClassFileImporter().importClasses(LinkToMovedType.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(DataRedisAutoConfiguration.class.getName());
    }

    @AutoConfiguration(after = DataRedisAutoConfiguration.class)
    static class LinkToMovedType {}
}
