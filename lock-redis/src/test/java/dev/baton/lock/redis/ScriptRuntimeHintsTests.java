package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Tests the hints of the store for a native image. */
class ScriptRuntimeHintsTests {

    @Test
    void everyScriptIsIncluded() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(hints, null));

        List<String> scripts = Arrays.stream(new PathMatchingResourcePatternResolver()
                        .getResources("classpath*:/dev/baton/lock/redis/script/**/*.lua"))
                .map(Object::toString)
                .map(script -> script.replaceFirst(".*(dev/baton/lock/redis/script/[\\w/]+\\.lua).*", "$1"))
                .toList();
        assertThat(scripts)
                .contains("dev/baton/lock/redis/script/lib/lock.lua", "dev/baton/lock/redis/script/lib/grant.lua");
        assertThat(scripts)
                .hasSizeGreaterThan(5)
                .allMatch(script ->
                        RuntimeHintsPredicates.resource().forResource(script).test(hints));
    }
}
