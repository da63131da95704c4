package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.info.InfoEndpointAutoConfiguration;
import org.springframework.boot.actuate.info.InfoEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.SpringVersion;

/** Tests what an application says of its locks when all is well: one line in the log, and Actuator's info. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class LockStartupLogTests {

    private static final String LINE = "Baton " + BatonVersion.get() + ": ";

    private final Logger logger = (Logger) LoggerFactory.getLogger(LockStartupLog.class);
    private final ApplicationContextRunner runner = Contexts.withoutRedis();
    private final ApplicationContextRunner withInfo = runner.withConfiguration(
                    AutoConfigurations.of(LockInfoAutoConfiguration.class, InfoEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=info");

    /** The other tests log warnings only. */
    @BeforeEach
    void logInfo() {
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void logWarningsAgain() {
        logger.setLevel(null);
    }

    @Test
    void oneLineNamesTheLocksAndWhereTheyAreKept(CapturedOutput output) {
        runner.withBean("one", Orders.class)
                .withBean("two", Orders.class)
                .withBean(Report.class)
                .withPropertyValues("baton.namespace=shop")
                .run(context -> assertThat(output)
                        .containsOnlyOnce(LINE + "3 locked methods in 3 beans, Redis at 127.0.0.1:9"
                                + " (spring.data.redis.*), namespace 'shop', wait strategy grant, handler auto"
                                + " (undecided until Redis answers)"));
    }

    @Test
    void lineNamesTheConfiguredStrategyAndHandler(CapturedOutput output) {
        runner.withBean(Report.class)
                .withPropertyValues("baton.wait-strategy=polling", "baton.handler=transaction")
                .run(context -> assertThat(output)
                        .contains("1 locked method in 1 bean, ")
                        .contains(", wait strategy polling, handler transaction"));
    }

    @Test
    void lineNamesAnotherStore(CapturedOutput output) {
        runner.withBean(InMemoryLockStore.class, () -> new InMemoryLockStore(TestClock.ticking()))
                .run(context -> assertThat(output)
                        .contains(LINE + "0 locked methods in 0 beans, the in-memory lock store, wait strategy grant"));
    }

    @Test
    void lineNamesOperationsOfTheApplication(CapturedOutput output) {
        runner.withBean(LockOperations.class, RecordingOperations::new)
                .run(context -> assertThat(output)
                        .contains("0 locked methods in 0 beans, locked by the application's own LockOperations"));
    }

    @Test
    void startOfAChildContextIsNotLogged(CapturedOutput output) {
        runner.run(context -> {
            try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                child.setParent(context);
                child.refresh();
            }
        });
        assertThat(output).containsOnlyOnce(LINE);
    }

    @Test
    void disabledLocksHaveTheirWarningOnly(CapturedOutput output) {
        runner.withBean(Report.class)
                .withPropertyValues("baton.enabled=false")
                .run(context -> assertThat(output)
                        .doesNotContain(LINE)
                        .containsOnlyOnce("baton.enabled=false: nothing is locked."));
    }

    @Test
    void infoHasTheVersionTheLocksAndTheSettings() {
        withInfo.withBean("one", Orders.class)
                .withBean("two", Orders.class)
                .withPropertyValues("baton.namespace=shop", "baton.handler=script")
                .run(context -> assertThat(info(context))
                        .asString()
                        .isEqualTo("{version=" + BatonVersion.get() + ", enabled=true, lockedMethods=2, lockedBeans=2,"
                                + " namespace=shop, waitStrategy=grant, handler=script}"));
    }

    @Test
    void infoNamesTheServerOnceItIsKnownAndNeverWaitsForIt() {
        try (TestRedis redis = TestRedis.start()) {
            Contexts.with(redis)
                    .withConfiguration(
                            AutoConfigurations.of(LockInfoAutoConfiguration.class, InfoEndpointAutoConfiguration.class))
                    .withPropertyValues("management.endpoints.web.exposure.include=info")
                    .run(context -> {
                        LockTemplate template = context.getBean(LockTemplate.class);
                        template.executeWithoutResult("report", "daily", lease -> {});
                        String server = template.capabilities().server().orElse("null");
                        redis.pause();
                        long start = System.nanoTime();
                        Map<?, ?> info = (Map<?, ?>) info(context);
                        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
                        redis.resume();
                        assertThat(info.get("handler")).isEqualTo("script");
                        assertThat(String.valueOf(info.get("server"))).isEqualTo(server);
                        await().until(() -> !template.isLocked(LockRequest.of("report", "daily")));
                    });
        }
    }

    @Test
    void infoOfDisabledLocksSaysSo() {
        withInfo.withBean(Report.class)
                .withPropertyValues("baton.enabled=false")
                .run(context -> assertThat(info(context))
                        .asString()
                        .endsWith("enabled=false, lockedMethods=1, lockedBeans=1}"));
    }

    @Test
    void infoCanBeDisabled() {
        withInfo.run(context -> assertThat(context).hasBean("batonInfoContributor"));
        withInfo.withPropertyValues("management.info.locks.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("batonInfoContributor"));
    }

    @Test
    void versionIsThatOfTheManifest() {
        assertThat(BatonVersion.of(SpringVersion.class)).isEqualTo(SpringVersion.getVersion());
        assertThat(BatonVersion.of(LockStartupLogTests.class)).isEqualTo("development");
    }

    private static Object info(ApplicationContext context) {
        return context.getBean(InfoEndpoint.class).info().get("locks");
    }

    static class Orders {

        @DistributedLock(scope = "order", key = "#id")
        public void close(long id) {}

        @DistributedLock(scope = "order", key = "#id")
        @DistributedLock(scope = "desk")
        public void reopen(long id) {}

        public void list() {}
    }

    static class Report {

        @DistributedLock(scope = "report")
        public void build() {}
    }
}
