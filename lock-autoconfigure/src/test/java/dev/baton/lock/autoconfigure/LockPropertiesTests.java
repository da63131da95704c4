package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.interceptor.InTransaction;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class LockPropertiesTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Binding.class);

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        runner.run(context -> assertThat(context.getBean(LockProperties.class))
                .isEqualTo(new LockProperties(
                        true,
                        "lock",
                        null,
                        Duration.ofSeconds(30),
                        Duration.ofHours(24),
                        WaitTime.of(Duration.ofSeconds(10)),
                        null,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        OnLost.THROW,
                        100_000,
                        Duration.ofSeconds(5),
                        new LockProperties.Shutdown(Duration.ofSeconds(10)),
                        WaitStrategy.GRANT,
                        LockHandler.AUTO,
                        0,
                        Failover.NONE,
                        null,
                        new LockProperties.Polling(Duration.ofMillis(100)),
                        new LockProperties.Keyspace(true),
                        new LockProperties.Cohort(32, Duration.ofMillis(20)),
                        ReleaseMode.CONFIRMED,
                        InTransaction.RELEASE,
                        Map.of())));
    }

    private static final String[] SCOPES = {
        "baton.scopes.server_access.expire=10s",
        "baton.scopes.server_access.wait-time=0",
        "baton.scopes.[com.acme.OrderService.close].stall-time=3s",
        "baton.scopes.[com.acme.OrderService.close].on-stuck=steal",
        "baton.scopes.[com.acme.OrderService.close].recheck=200ms",
        "baton.scopes.[com.acme.OrderService.close].wait-strategy=polling",
        "baton.scopes.[com.acme.OrderService.close].polling-interval=30ms",
        "baton.scopes.[com.acme.OrderService.close].hold-at-least=4s",
        "baton.scopes.[com.acme.OrderService.close].on-lost=log"
    };

    @Test
    void everyPropertyIsBound() {
        runner.withPropertyValues(
                        "baton.enabled=false",
                        "baton.namespace=shop:orders",
                        "baton.connection-factory=lockRedis",
                        "baton.expire=7s",
                        "baton.max-hold=PT2H",
                        "baton.wait-time=350ms",
                        "baton.stall-time=6s",
                        "baton.command-timeout=1500ms",
                        "baton.recheck=400ms",
                        "baton.patience=2500ms",
                        "baton.on-lost=interrupt",
                        "baton.max-waiters=7",
                        "baton.replicas-to-ack=2",
                        "baton.failover=wait",
                        "baton.longest-expire=45s",
                        "baton.request-after=900ms",
                        "baton.shutdown.await=250ms",
                        "baton.wait-strategy=polling",
                        "baton.handler=transaction",
                        "baton.polling.interval=40ms",
                        "baton.keyspace.configure=false",
                        "baton.cohort.limit=5",
                        "baton.cohort.max-time=7ms",
                        "baton.release=pipelined",
                        "baton.in-transaction=refuse")
                .withPropertyValues(SCOPES)
                .run(context -> assertThat(context.getBean(LockProperties.class))
                        .isEqualTo(new LockProperties(
                                false,
                                "shop:orders",
                                "lockRedis",
                                Duration.ofSeconds(7),
                                Duration.ofHours(2),
                                WaitTime.of(Duration.ofMillis(350)),
                                Duration.ofSeconds(6),
                                Duration.ofMillis(1500),
                                Duration.ofMillis(400),
                                Duration.ofMillis(2500),
                                OnLost.INTERRUPT,
                                7,
                                Duration.ofMillis(900),
                                new LockProperties.Shutdown(Duration.ofMillis(250)),
                                WaitStrategy.POLLING,
                                LockHandler.TRANSACTION,
                                2,
                                Failover.WAIT,
                                Duration.ofSeconds(45),
                                new LockProperties.Polling(Duration.ofMillis(40)),
                                new LockProperties.Keyspace(false),
                                new LockProperties.Cohort(5, Duration.ofMillis(7)),
                                ReleaseMode.PIPELINED,
                                InTransaction.REFUSE,
                                scopes())));
    }

    private static Map<String, ScopeProperties> scopes() {
        return Map.of(
                "server_access",
                new ScopeProperties(Duration.ofSeconds(10), WaitTime.none(), null, null, null, null, null, null, null),
                "com.acme.OrderService.close",
                new ScopeProperties(
                        null,
                        null,
                        Duration.ofSeconds(3),
                        OnStuck.STEAL,
                        Duration.ofMillis(200),
                        WaitStrategy.POLLING,
                        Duration.ofMillis(30),
                        Duration.ofSeconds(4),
                        OnLost.LOG));
    }

    @Test
    void longestLeaseIsTheUsualOneIfGrantsPauseAfterAFailover() {
        runner.run(context -> assertThat(context.getBean(LockProperties.class).longestExpire())
                .isNull());
        runner.withPropertyValues("baton.failover=wait", "baton.expire=12s")
                .run(context -> assertThat(context.getBean(LockProperties.class).longestExpire())
                        .isEqualTo(Duration.ofSeconds(12)));
    }

    @Test
    void environmentNamesTheHandler() {
        runner.withPropertyValues("baton.handler=script")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of("BATON_HANDLER", "transaction"))))
                .run(context -> assertThat(context.getBean(LockProperties.class).handler())
                        .isEqualTo(LockHandler.TRANSACTION));
    }

    @Test
    void waitTimeCanBeUnbounded() {
        runner.withPropertyValues("baton.wait-time=unbounded")
                .run(context -> assertThat(context.getBean(LockProperties.class).waitTime())
                        .isEqualTo(WaitTime.unbounded()));
    }

    @Test
    void waitTimeCanBeTheNumberZero() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("yaml", Map.of("baton.wait-time", 0))))
                .run(context -> assertThat(context.getBean(LockProperties.class).waitTime())
                        .isEqualTo(WaitTime.none()));
    }

    @Test
    void emptyConnectionFactoryMeansUnset() {
        runner.withPropertyValues("baton.connection-factory=")
                .run(context -> assertThat(context.getBean(LockProperties.class).connectionFactory())
                        .isNull());
    }

    @ParameterizedTest
    @CsvSource({
        "expire",
        "max-hold",
        "wait-time",
        "command-timeout",
        "recheck",
        "patience",
        "shutdown.await",
        "polling.interval",
        "cohort.max-time",
        "scopes.server_access.expire",
        "scopes.server_access.wait-time",
        "scopes.server_access.stall-time",
        "scopes.server_access.recheck",
        "scopes.server_access.polling-interval",
        "scopes.server_access.hold-at-least"
    })
    void numberWithoutUnitIsRefused(String property) {
        runner.withPropertyValues("baton." + property + "=10")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageEndingWith("'10' has no unit; write '10s' or '10ms'"));
    }

    @Test
    void numberOfYamlWithoutUnitIsRefused() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("yaml", Map.of("baton.expire", 10))))
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "Property baton.expire with value '10' is invalid: '10' has no unit; write '10s' or '10ms'"));
    }

    @Test
    void numberBehindAPlaceholderIsRefused() {
        runner.withPropertyValues("baton.recheck=${SECONDS}", "SECONDS=10")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "Property baton.recheck with value '10' is invalid: '10' has no unit; write '10s' or '10ms'"));
    }

    @Test
    void durationsOfTheApplicationKeepTheMeaningOfBoot() {
        runner.withUserConfiguration(OwnBinding.class)
                .withPropertyValues("own.pause=10")
                .run(context -> assertThat(context.getBean(Own.class).pause()).isEqualTo(Duration.ofMillis(10)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expire=9ms | Property baton.expire with value 'PT0.009S' is invalid: expire 9 ms is too short",
                "expire=-1s | Property baton.expire with value 'PT-1S' is invalid: expire -1000 ms is too short",
                "expire=3651d | Property baton.expire with value 'PT87624H' is invalid: expire of 3651 days is too long",
                "max-hold=29s | is invalid: max-hold 29000 ms is shorter than baton.expire, 30000 ms; make it at least as long",
                "max-hold=3651d | is invalid: max-hold of 3651 days is too long; use at most 3650 days",
                "wait-time=3651d | is invalid: wait-time of 3651 days is too long; use at most 3650 days (write 'unbounded'",
                "expire= | Property baton.expire with value '' is invalid: '' is not a duration; write it as '500ms', '10s'",
                "expire=10 sec | Property baton.expire with value '10 sec' is invalid: '10 sec' is not a duration",
                "wait-time=-1s | Property baton.wait-time with value '-1s' is invalid: wait time -1000 ms is negative; use 0 to not wait, or 'unbounded' to wait without a bound",
                "stall-time=9ms | Property baton.stall-time with value 'PT0.009S' is invalid: stall-time 9 ms is too short; use at least 10 ms (leave it out",
                "request-after=9ms | Property baton.request-after with value 'PT0.009S' is invalid: request-after 9 ms is too short; use at least 10 ms (holders are told that often; 0s never tells",
                "request-after=-1s | is too short; use at least 10 ms",
                "stall-time=3651d | is invalid: stall-time of 3651 days is too long; use at most 3650 days",
                "stall-time=10 | Property baton.stall-time with value '10' is invalid: '10' has no unit",
                "command-timeout=9ms | Property baton.command-timeout with value 'PT0.009S' is invalid: command-timeout 9 ms is too short; use at least 10 ms",
                "recheck=0s | Property baton.recheck with value 'PT0S' is invalid: recheck 0 ms is too short; use at least 10 ms",
                "patience=-1s | Property baton.patience with value 'PT-1S' is invalid: patience -1000 ms is negative; use 0s or more",
                "patience=3651d | is invalid: patience of 3651 days is too long; use at most 3650 days",
                "on-lost=explode | No enum constant dev.baton.lock.OnLost.explode",
                "shutdown.await=-1s | Property baton.shutdown.await with value 'PT-1S' is invalid: shutdown.await -1000 ms is negative; use 0s",
                "shutdown.await=3651d | is invalid: shutdown.await of 3651 days is too long; use at most 3650 days",
                "replicas-to-ack=-1 | Property baton.replicas-to-ack with value '-1' is invalid: replicas-to-ack -1 is negative; use 0 to wait for no replica",
                "longest-expire=29s | Property baton.longest-expire with value 'PT29S' is invalid: longest-expire 29000 ms is shorter than baton.expire, 30000 ms; make it at least as long",
                "longest-expire=3651d | is invalid: longest-expire of 3651 days is too long; use at most 3650 days",
                "failover=hope | No enum constant dev.baton.lock.autoconfigure.Failover.hope",
                "max-waiters=0 | Property baton.max-waiters with value '0' is invalid: max-waiters 0 allows no request to wait; use at least 1",
                "cohort.limit=-1 | Property baton.cohort.limit with value '-1' is invalid: cohort.limit -1 is out of range; use 0 for strict order",
                "cohort.limit=1001 | is invalid: cohort.limit 1001 is out of range",
                "cohort.max-time=0s | Property baton.cohort.max-time with value 'PT0S' is invalid: cohort.max-time 0 ms is not positive; use 20ms",
                "cohort.max-time=3651d | is invalid: cohort.max-time of 3651 days is too long; use at most 3650 days",
                "scopes.a_b.expire=9ms | Property baton.scopes.a_b.expire with value 'PT0.009S' is invalid: expire 9 ms is too short",
                "scopes.a_b.wait-time=-1s | Property baton.scopes.a_b.wait-time with value '-1s' is invalid: wait time -1000 ms is negative",
                "scopes.a_b.stall-time=9ms | Property baton.scopes.a_b.stall-time with value 'PT0.009S' is invalid: stall time 9 ms is out of range; use 10 ms to ten years",
                "scopes.a_b.recheck=9ms | Property baton.scopes.a_b.recheck with value 'PT0.009S' is invalid: recheck 9 ms is out of range; use 10 ms to ten years",
                "scopes.a_b.polling-interval=0s | Property baton.scopes.a_b.polling-interval with value 'PT0S' is invalid: polling interval 0 ms is out of range; use 1 ms to ten years",
                "scopes.a_b.wait-strategy=queue | No enum constant dev.baton.lock.WaitStrategy.queue",
                "scopes.a_b.hold-at-least=0s | Property baton.scopes.a_b.hold-at-least with value 'PT0S' is invalid: holdAtLeast 0 ms is not positive",
                "scopes.[a.b].expire=9ms | Property baton.scopes[a.b].expire with value 'PT0.009S' is invalid: expire 9 ms is too short",
                "scopes.[a.b].recheck=9 | Property baton.scopes[a.b].recheck with value '9' is invalid: '9' has no unit",
                "scopes.[a{b}].expire=1s | Property baton.scopes[a{b}] with value",
                "namespace= | Property baton.namespace with value '' is invalid: namespace is blank",
                "namespace=a{b} | is invalid: namespace 'a{b}' contains a brace",
                "namespace=a::b | is invalid: namespace 'a::b' contains an empty name",
            })
    void unusableValueIsRefused(String setting, String message) {
        runner.withPropertyValues("baton." + setting)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }

    @Test
    void pollingIntervalWithAnotherStrategyIsRefused() {
        runner.withPropertyValues("baton.scopes.a_b.wait-strategy=grant", "baton.scopes.a_b.polling-interval=20ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("Property baton.scopes.a_b.polling-interval with value 'PT0.02S' is invalid:"
                                + " pollingInterval 20 ms and waitStrategy GRANT exclude each other; use waitStrategy"
                                + " POLLING, or leave pollingInterval out"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(LockProperties.class)
    static class Binding {

        @Bean
        static NumberToWaitTimeConverter converter() {
            return LockAutoConfiguration.batonWaitTimeConverter();
        }

        @Bean
        static ConfigurationPropertiesBindHandlerAdvisor advisor() {
            return LockAutoConfiguration.batonDurationBindHandlerAdvisor();
        }
    }

    @ConfigurationProperties("own")
    record Own(Duration pause) {}

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(Own.class)
    static class OwnBinding {}
}
