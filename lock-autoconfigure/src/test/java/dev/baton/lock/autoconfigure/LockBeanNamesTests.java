package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;

/** Tests the names of the auto-configured beans, enabled and disabled, and beside other beans of these names. */
class LockBeanNamesTests {

    private final ApplicationContextRunner runner = Contexts.withoutRedis();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void templatesAreInjectedByTypeAndByTheirShortNames(boolean enabled) {
        enabled(enabled).withUserConfiguration(Client.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            assertThat(context.getBean("batonLockTemplate")).isSameAs(template);
            assertThat(context.getBean("lockTemplate")).isSameAs(template);
            ReactiveLockTemplate reactive = context.getBean(ReactiveLockTemplate.class);
            assertThat(context.getBean("batonReactiveLockTemplate")).isSameAs(reactive);
            assertThat(context.getBean("reactiveLockTemplate")).isSameAs(reactive);
            Client client = context.getBean(Client.class);
            assertThat(client.byType).isSameAs(template);
            assertThat(client.byName).isSameAs(template);
            assertThat(client.reactive).isSameAs(reactive);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ownTemplatesOfTheShortNamesReplaceOurs(boolean enabled) {
        enabled(enabled).withUserConfiguration(OwnTemplates.class).run(context -> {
            assertThat(context)
                    .hasSingleBean(LockOperations.class)
                    .hasSingleBean(ReactiveLockTemplate.class)
                    .doesNotHaveBean("batonLockTemplate")
                    .doesNotHaveBean("batonReactiveLockTemplate");
            assertThat(context.getBean("lockTemplate")).isSameAs(context.getBean(LockOperations.class));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherBeanOfTheShortNameStaysBesideOurs(boolean enabled) {
        enabled(enabled).withUserConfiguration(OtherBeans.class).run(LockBeanNamesTests::assertOtherBeansStay);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherBeanOfALaterAutoConfigurationStaysBesideOurs(boolean enabled) {
        enabled(enabled)
                .withConfiguration(AutoConfigurations.of(LaterLibrary.class))
                .run(LockBeanNamesTests::assertOtherBeansStay);
    }

    private static void assertOtherBeansStay(AssertableApplicationContext context) {
        assertThat(context)
                .hasNotFailed()
                .hasSingleBean(LockTemplate.class)
                .hasBean("batonLockTemplate")
                .hasSingleBean(ReactiveLockTemplate.class)
                .hasBean("batonReactiveLockTemplate");
        assertThat(context.getBean("lockTemplate")).hasToString("another lock template");
        assertThat(context.getBean("reactiveLockTemplate")).hasToString("another reactive one");
    }

    /** The key of the health report is the name of its bean without the suffix, so that bean has no prefix. */
    @Test
    void namesBeginWithBatonExceptThatOfTheHealth() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : List.of("autoconfigure", "test")) {
            for (Resource file : new PathMatchingResourcePatternResolver()
                    .getResources("classpath*:dev/baton/lock/" + folder + "/*Configuration*.class")) {
                AnnotationMetadata type = new CachingMetadataReaderFactory()
                        .getMetadataReader(file)
                        .getAnnotationMetadata();
                if (!type.getClassName().contains("Tests")) {
                    type.getAnnotatedMethods(Bean.class.getName()).forEach(method -> names.addAll(names(method)));
                }
            }
        }
        assertThat(names)
                .contains("batonLockTemplate", "batonLockStore", "batonTestClock")
                .filteredOn(name -> !name.startsWith("baton"))
                .containsExactly("locksHealthIndicator");
    }

    private static List<String> names(MethodMetadata method) {
        String[] given =
                (String[]) method.getAnnotationAttributes(Bean.class.getName()).get("name");
        return given.length == 0 ? List.of(method.getMethodName()) : List.of(given);
    }

    private ApplicationContextRunner enabled(boolean enabled) {
        return runner.withPropertyValues("baton.enabled=" + enabled);
    }

    @Configuration(proxyBeanMethods = false)
    static class Client {

        private final LockTemplate byType;
        private final LockOperations byName;
        private final ReactiveLockTemplate reactive;

        Client(
                LockTemplate byType,
                @Qualifier("lockTemplate") LockOperations byName,
                @Qualifier("reactiveLockTemplate") ReactiveLockTemplate reactive) {
            this.byType = byType;
            this.byName = byName;
            this.reactive = reactive;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplates {

        @Bean
        LockTemplate lockTemplate() {
            return LockTemplate.builder(new RecordingStore()).build();
        }

        @Bean
        ReactiveLockTemplate reactiveLockTemplate(LockOperations operations) {
            return new ReactiveLockTemplate(operations);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherBeans {

        @Bean
        CharSequence lockTemplate() {
            return "another lock template";
        }

        @Bean
        CharSequence reactiveLockTemplate() {
            return "another reactive one";
        }
    }

    @AutoConfiguration(after = LockAutoConfiguration.class)
    static class LaterLibrary extends OtherBeans {}
}
