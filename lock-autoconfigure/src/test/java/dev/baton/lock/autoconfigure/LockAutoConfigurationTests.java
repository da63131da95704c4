package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.redis.lettuce.LockListenerContainer;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockAutoConfiguration;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class LockAutoConfigurationTests {

    private static final String BOOTS_CONTAINER_NEEDS = "org.springframework.messaging";

    private final ApplicationContextRunner runner = Contexts.withoutRedis();

    @Test
    void bringsTemplateStoreAndProperties() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(LockTemplate.class)
                .hasSingleBean(LockOperations.class)
                .hasSingleBean(RedisLockStore.class)
                .hasSingleBean(LockProperties.class)
                .hasBean("batonMessageListenerContainer"));
    }

    @Test
    void bringsTheSameLocksForReactor() {
        runner.run(context -> assertThat(context).hasSingleBean(ReactiveLockTemplate.class));
    }

    @Test
    void worksWithoutReactor() {
        runner.withClassLoader(new FilteredClassLoader("reactor", "org.reactivestreams"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockTemplate.class)
                        .doesNotHaveBean("batonReactiveLockTemplate")
                        .doesNotHaveBean("reactiveLockTemplate"));
    }

    @Test
    void disabledTemplateLocksNothingAndReportsNoLocks() {
        runner.withPropertyValues("baton.enabled=false").run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            LockRequest request = LockRequest.of("x");
            template.executeWithoutResult(request, lease -> {
                assertThat(template.isLocked(request)).isFalse();
                assertThat(template.inspect(request).holder()).isEmpty();
                assertThat(template.list("*")).isEmpty();
                assertThat(template.forceRelease(request)).isFalse();
                assertThat(lease.isHeld()).isTrue();
            });
        });
    }

    @Test
    void clockOfATestReplacesThatOfTheMachine() {
        TestClock clock = TestClock.standing();
        runner.withBean(TestClock.class, () -> clock)
                .withBean(InMemoryLockStore.class, () -> new InMemoryLockStore(clock))
                .run(context -> {
                    LockTemplate template = context.getBean(LockTemplate.class);
                    Lease lease = template.acquire(LockRequest.of("x").expire(Duration.ofHours(1)));
                    clock.advance(Duration.ofHours(2));
                    assertThat(lease.isHeld()).isFalse();
                });
    }

    @Test
    void listenerContainerDoesNotStartAutomatically() {
        runner.run(context -> assertThat(context.getBean("batonMessageListenerContainer", LockListenerContainer.class)
                        .isAutoStartup())
                .isFalse());
    }

    @Test
    void backsOffWhenTemplateIsDefined() {
        runner.withUserConfiguration(OwnTemplate.class).run(context -> {
            assertThat(context).hasSingleBean(LockOperations.class).hasBean("ownTemplate");
            assertThat(context).doesNotHaveBean("batonMessageListenerContainer");
            assertThat(context.getBeanFactory().containsSingleton("batonLockStore"))
                    .as("an unused store is created")
                    .isFalse();
        });
    }

    @Test
    void ownTemplateGetsTheStoreAndTheSettings() {
        runner.withUserConfiguration(TemplateOnOurStore.class)
                .withPropertyValues("baton.expire=20s", "baton.namespace=orders")
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(LockOperations.class)
                            .hasSingleBean(RedisLockStore.class);
                    TemplateOnOurStore own = context.getBean(TemplateOnOurStore.class);
                    assertThat(own.expire).isEqualTo(Duration.ofSeconds(20));
                    assertThat(own.store.keys(new LockName("", "x.global")).get(0))
                            .startsWith("orders:");
                });
    }

    @Test
    void ownTemplateGetsTheStoreInMemory() {
        runner.withConfiguration(AutoConfigurations.of(InMemoryLockAutoConfiguration.class))
                .withUserConfiguration(TemplateOnOurStore.class)
                .run(context -> assertThat(context.getBean(TemplateOnOurStore.class).store)
                        .isInstanceOf(InMemoryLockStore.class));
    }

    @Test
    void ownTemplateOnTheStoreLocksNothingWhenDisabled() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withUserConfiguration(TemplateOnOurStore.class)
                .withPropertyValues("baton.enabled=false")
                .run(context -> context.getBean(LockTemplate.class)
                        .executeWithoutResult(
                                "x", 1, lease -> assertThat(lease.isHeld()).isTrue()));
    }

    @Test
    void ownTemplateNeedsNoRedis() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withUserConfiguration(OwnTemplate.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void backsOffWhenStoreIsDefined() {
        runner.withUserConfiguration(OwnStore.class).run(context -> {
            assertThat(context).hasSingleBean(LockStore.class).hasBean("ownStore");
            assertThat(context).hasSingleBean(LockTemplate.class);
            assertThat(context).doesNotHaveBean("batonMessageListenerContainer");
        });
    }

    @Test
    void backsOffWhenListenerContainerIsDefined() {
        runner.withUserConfiguration(OwnInbox.class)
                .run(context -> assertThat(context.getBean("batonMessageListenerContainer"))
                        .isSameAs(context.getBean(OwnInbox.class).container));
    }

    @Test
    void storeIsStoppedWithTheContext() {
        runner.withUserConfiguration(OwnStore.class).run(context -> {
            RecordingStore store = context.getBean(RecordingStore.class);
            assertThat(store.calls).containsExactly("start");
            context.close();
            assertThat(store.calls).containsExactly("start", "stop");
        });
    }

    @Test
    void customizersAreCalledInOrder() {
        runner.withUserConfiguration(Customizers.class)
                .run(context ->
                        assertThat(context.getBean(Customizers.class).called).containsExactly("first", "second"));
    }

    @Test
    void listenerContainerOfBootIsInjected() {
        runner.withUserConfiguration(ContainerClient.class)
                .run(context -> assertThat(context.getBean(ContainerClient.class).container)
                        .isNotInstanceOf(LockListenerContainer.class)
                        .isSameAs(context.getBean("redisMessageListenerContainer")));
    }

    @Test
    void listenerContainerOfTheApplicationIsInjected() {
        runner.withUserConfiguration(ApplicationsContainer.class, ContainerClient.class)
                .withClassLoader(new FilteredClassLoader(BOOTS_CONTAINER_NEEDS))
                .run(context -> assertThat(context.getBean(ContainerClient.class).container)
                        .isSameAs(context.getBean("orders")));
    }

    @Test
    void namespacedOperationsMayBeABeanThatIsNoDefaultCandidate() {
        runner.withUserConfiguration(NamespacedOperations.class).run(context -> {
            assertThat(context).hasSingleBean(LockTemplate.class).hasBean("orderLocks");
            assertThat(context.getBeanProvider(LockOperations.class).getObject())
                    .isInstanceOf(LockTemplate.class);
        });
    }

    @Test
    void disabledNeedsNoRedis() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("baton.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RedisLockStore.class)
                        .doesNotHaveBean("batonMessageListenerContainer"));
    }

    @Test
    void disabledTemplateGrantsEverythingAtOnce() {
        runner.withPropertyValues("baton.enabled=false").run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            template.executeWithoutResult("report", "daily", lease -> {
                assertThat(lease.isHeld()).isTrue();
                assertThat(CompletableFuture.supplyAsync(() -> template.tryAcquire(LockRequest.of("report", "daily"))))
                        .succeedsWithin(Duration.ofSeconds(5))
                        .satisfies(other -> assertThat(other).hasValueSatisfying(that -> {
                            assertThat(that.fencingToken()).isGreaterThan(lease.fencingToken());
                            assertThat(that.release()).isTrue();
                        }));
            });
        });
    }

    @Test
    void disabledTemplateDoesNotUseAStoreOfTheApplication() {
        runner.withPropertyValues("baton.enabled=false")
                .withUserConfiguration(OwnStore.class)
                .run(context -> {
                    context.getBean(LockTemplate.class).executeWithoutResult("report", "daily", lease -> {});
                    assertThat(context.getBean(RecordingStore.class).calls).isEmpty();
                });
    }

    @Test
    void propertyRefusesWorkOfTheTemplateInsideATransaction() {
        ApplicationContextRunner refusing = Contexts.withDatabase(runner, "refused-work")
                .withUserConfiguration(OwnStore.class)
                .withPropertyValues("baton.in-transaction=refuse");
        refusing.run(context -> inTransaction(
                context,
                template -> assertThatIllegalStateException()
                        .isThrownBy(() -> template.executeWithoutResult("report", "daily", lease -> {}))
                        .withMessageContaining("baton.in-transaction=refuse")));
        refusing.withPropertyValues("baton.enabled=false")
                .run(context -> inTransaction(
                        context, template -> template.executeWithoutResult("report", "daily", lease -> {})));
    }

    private static void inTransaction(ApplicationContext context, Consumer<LockTemplate> work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.accept(context.getBean(LockTemplate.class)));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        @Bean
        LockTemplate ownTemplate() {
            return LockTemplate.builder(new RecordingStore()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateOnOurStore {

        private LockStore store;
        private Duration expire;

        @Bean
        LockTemplate ownTemplate(LockStore store, LockProperties properties) {
            this.store = store;
            this.expire = properties.expire();
            return LockTemplate.builder(store).expire(expire).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {

        @Bean
        RecordingStore ownStore() {
            return new RecordingStore();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamespacedOperations {

        @Bean(defaultCandidate = false)
        LockOperations orderLocks(LockTemplate template) {
            return template.withNamespace("orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnInbox {

        private LockListenerContainer container;

        @Bean(defaultCandidate = false)
        LockListenerContainer batonMessageListenerContainer(RedisConnectionFactory factory) {
            container = new LockListenerContainer(factory);
            return container;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customizers {

        private final List<String> called = new ArrayList<>();

        @Bean
        @Order(2)
        LockTemplateCustomizer second() {
            return builder -> called.add("second");
        }

        @Bean
        @Order(1)
        LockTemplateCustomizer first() {
            return builder -> {
                builder.expire(Duration.ofSeconds(5));
                called.add("first");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ApplicationsContainer {

        @Bean
        RedisMessageListenerContainer orders(RedisConnectionFactory factory) {
            RedisMessageListenerContainer container = new RedisMessageListenerContainer() {
                @Override
                public boolean isAutoStartup() {
                    return false;
                }
            };
            container.setConnectionFactory(factory);
            return container;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ContainerClient {

        private final RedisMessageListenerContainer container;

        ContainerClient(RedisMessageListenerContainer container) {
            this.container = container;
        }
    }
}
