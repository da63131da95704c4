package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import dev.baton.lock.support.LockTemplate;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.SpringVersion;
import org.springframework.data.redis.core.RedisTemplate;

/** Tests that this module runs on its line of Spring Boot, with the same jars of Baton as the other line. */
class LineTests {

    private static final boolean BOOT_3 = System.getProperty("boot.version").startsWith("3.");

    @Test
    void springBootHasTheVersionOfThisModule() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.version"));
    }

    @Test
    void springHasTheVersionOfThisLine() {
        assertThat(ModuleDescriptor.Version.parse(SpringVersion.getVersion()).toString())
                .startsWith(BOOT_3 ? "6.2." : "7.");
        assertThat(jarOf(RedisTemplate.class)).contains(BOOT_3 ? "spring-data-redis-3.5." : "spring-data-redis-4.");
    }

    @ParameterizedTest
    @CsvSource({
        "lock-core, dev.baton.lock.LockOperations",
        "lock-redis, dev.baton.lock.redis.RedisLockStore",
        "lock-spring, dev.baton.lock.annotation.DistributedLock",
        "lock-autoconfigure, dev.baton.lock.autoconfigure.LockAutoConfiguration"
    })
    void batonIsThatOfTheReactor(String module, String type) throws ClassNotFoundException {
        Path root = Path.of("").toAbsolutePath().getParent().getParent().getParent();
        assertThat(Path.of(jarOf(Class.forName(type)))).startsWith(root.resolve(module));
    }

    @Test
    void batonHasNoSpringDependencyOfItsOwn() {
        assertThat(jarOf(SpringBootApplication.class)).contains(System.getProperty("boot.version"));
        assertThat(LockOperations.class.getClassLoader()).isSameAs(LockTemplate.class.getClassLoader());
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
