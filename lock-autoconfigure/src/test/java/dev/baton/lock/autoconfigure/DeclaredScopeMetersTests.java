package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.NameMatchLockAttributeSource;
import dev.baton.lock.observation.LockMeter;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Tests that the scopes of methods and properties have meters before their first lock. */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredScopeMetersTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ApplicationContextRunner runner = Contexts.withoutRedis()
            .withBean(InMemoryLockStore.class, () -> new InMemoryLockStore(TestClock.ticking()))
            .withBean(MeterRegistry.class, () -> meters)
            .withConfiguration(AutoConfigurations.of(LockMetricsAutoConfiguration.class))
            .withBean(Orders.class)
            .withPropertyValues("order.scope=order");

    @Test
    void scopesOfMethodsAndPropertiesShowZeros() {
        runner.withPropertyValues("baton.scopes.desk.expire=10s").run(context -> {
            assertThat(scopes()).containsExactlyInAnyOrder("order", "stock", "desk");
            for (LockMeter meter : LockMeter.values()) {
                assertThat(meters.get(meter.key()).tag("scope", "order").meters())
                        .as(meter.key())
                        .allSatisfy(registered -> assertThat(registered.measure())
                                .allSatisfy(measured -> assertThat(measured.getValue())
                                        .as("%s", measured.getStatistic())
                                        .isZero()));
            }
            assertThat(outcomes("order")).containsExactlyInAnyOrder("granted", "timeout", "deadlock", "store-error");
        });
    }

    @Test
    void declaredMetersCountTheLocksOfTheirScope() {
        runner.run(context -> {
            context.getBean(Orders.class).close(42);
            assertThat(meters.get("baton.acquisitions")
                            .tags("scope", "order", "outcome", "granted")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("baton.hold").tag("scope", "order").timer().count())
                    .isEqualTo(1);
        });
    }

    @Test
    void severalScopesOfARequestAreOneValue() {
        runner.withUserConfiguration(Together.class)
                .run(context -> assertThat(scopes()).containsExactlyInAnyOrder("order+shelf", "order", "stock"));
    }

    @Test
    void scopesOfSeveralAnnotationsAreTheValueOfTheirCalls() {
        runner.withBean(Desk.class).run(context -> {
            assertThat(scopes()).containsExactlyInAnyOrder("desk+room", "order", "stock");
            context.getBean(Desk.class).move(1);
            assertThat(meters.get("baton.hold")
                            .tag("scope", "desk+room")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void declaredScopesAreLimitedByTheProperty(CapturedOutput output) {
        runner.withPropertyValues("baton.metrics.max-scopes=2", "baton.scopes.desk.expire=10s")
                .run(context -> {
                    assertThat(scopes()).containsExactlyInAnyOrder("desk", "order");
                    assertThat(output).doesNotContain("baton.metrics.max-scopes");
                    context.getBean(LockTemplate.class).executeWithoutResult("stock", 1, lease -> {});
                    assertThat(scopes()).containsExactlyInAnyOrder("desk", "order", "other");
                });
    }

    @Test
    void disabledLocksHaveTheSameMeters() {
        runner.withPropertyValues("baton.enabled=false").run(context -> {
            assertThat(scopes()).containsExactlyInAnyOrder("order", "stock");
            context.getBean(Orders.class).close(42);
            assertThat(meters.get("baton.hold").tag("scope", "order").timer().count())
                    .isEqualTo(1);
        });
    }

    private Set<String> scopes() {
        return meters.find("baton.held").meters().stream()
                .map(Meter::getId)
                .map(id -> id.getTag("scope"))
                .collect(Collectors.toSet());
    }

    private Set<String> outcomes(String scope) {
        return meters.find("baton.acquisitions").tag("scope", scope).meters().stream()
                .map(meter -> meter.getId().getTag("outcome"))
                .collect(Collectors.toSet());
    }

    static class Orders {

        @DistributedLock(scope = "${order.scope}", key = "#id")
        public void close(long id) {}

        @DistributedLock(scope = "stock", key = "#id")
        public void count(long id) {}

        public void list() {}
    }

    static class Desk {

        @DistributedLock(scope = "room")
        @DistributedLock(scope = "desk", key = "#id")
        public void move(long id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Together {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockAttributeSource together() {
            LockRequest both = LockRequest.of("shelf").and(LockRequest.of("order"));
            return new NameMatchLockAttributeSource(
                    Map.of(DeclaredScopeMetersTests.class.getName() + "$Orders.list", LockAttribute.of(both)));
        }
    }
}
