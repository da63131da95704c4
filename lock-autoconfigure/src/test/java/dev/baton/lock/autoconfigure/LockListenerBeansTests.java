package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/** Tests listener beans, the application event and {@code baton.on-lost}. */
class LockListenerBeansTests {

    private static final LockRequest SHORT = LockRequest.of("x").expire(Duration.ofSeconds(2));

    @Test
    void everyListenerBeanIsNotifiedInOrder() {
        onRedis(context -> context.withUserConfiguration(Listeners.class).run(started -> {
            started.getBean(LockTemplate.class).executeWithoutResult("report", "daily", lease -> {});
            assertThat(started.getBean(Listeners.class).told)
                    .containsExactly("first report.daily", "second report.daily");
        }));
    }

    @Test
    void lossIsAnApplicationEvent() {
        onRedis(context -> context.withUserConfiguration(OnEvent.class).run(started -> {
            Lease lease = started.getBean(LockTemplate.class).acquire(SHORT);
            await().until(() -> started.getBean(OnEvent.class).events.size() == 1);
            assertThat(started.getBean(OnEvent.class).events.get(0)).satisfies(event -> {
                assertThat(event.names()).containsExactly("x.global");
                assertThat(event.fencingToken()).isEqualTo(lease.fencingToken());
                assertThat(event.owner()).isEqualTo(lease.owner());
            });
            assertThat(lease.release()).isFalse();
        }));
    }

    @Test
    void workIsInterruptedIfConfigured() {
        onRedis(context -> context.withPropertyValues("baton.on-lost=interrupt").run(started -> {
            LockTemplate template = started.getBean(LockTemplate.class);
            assertThatThrownBy(() -> template.execute(SHORT, lease -> new CountDownLatch(1).await(9, TimeUnit.SECONDS)))
                    .isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }));
    }

    private static void onRedis(OnRedis test) {
        try (TestRedis redis = TestRedis.start()) {
            test.run(Contexts.with(redis));
        }
    }

    private interface OnRedis {
        void run(ApplicationContextRunner context);
    }

    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        LockListener second(ObjectProvider<LockTemplate> lazily) {
            return listener("second ");
        }

        @Bean
        @Order(1)
        LockListener first() {
            return listener("first ");
        }

        private LockListener listener(String who) {
            return new LockListener() {
                @Override
                public void granted(Granted event) {
                    told.add(who + event.names().get(0));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnEvent {

        private final List<LockLostEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void lost(LockLostEvent event) {
            events.add(event);
        }
    }
}
