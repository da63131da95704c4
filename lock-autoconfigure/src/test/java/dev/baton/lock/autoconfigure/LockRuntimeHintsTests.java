package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.WaitTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.javapoet.ClassName;

/** Tests the ahead-of-time processing of the auto-configuration, which needs no Redis. */
class LockRuntimeHintsTests {

    @Test
    void propertiesCanBeBound() {
        RuntimeHints hints = process();
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(WaitTime.class, "valueOf"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(LockProperties.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(ScopeProperties.class))
                .accepts(hints);
        // its auto-configuration is not active, and its names are known nevertheless
        assertThat(RuntimeHintsPredicates.reflection().onType(LockBoardProperties.class))
                .accepts(hints);
    }

    @Test
    void hintsOfTheCoreAreFound() {
        RuntimeHints hints = process();
        for (String script : List.of("acquire", "exchange", "join")) {
            assertThat(RuntimeHintsPredicates.resource().forResource("dev/baton/lock/redis/script/" + script + ".lua"))
                    .accepts(hints);
        }
    }

    @Test
    void targetOfTheConnectionFactoryHasHints() {
        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(LettuceConnectionFactory.class, "configuration"))
                .accepts(process());
    }

    private static RuntimeHints process() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(DataRedisAutoConfiguration.class, LockAutoConfiguration.class);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(LockRuntimeHintsTests.class)), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }
}
