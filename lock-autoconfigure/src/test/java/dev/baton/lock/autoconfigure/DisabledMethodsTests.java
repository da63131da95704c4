package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.actuate.LockHealth;
import dev.baton.lock.actuate.LockReports;
import dev.baton.lock.actuate.LocksEndpoint;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests methods with locks, and what observes them, where {@code baton.enabled=false} and there is no Redis. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DisabledMethodsTests {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withBean(Deployer.class)
            .withPropertyValues("baton.enabled=false");

    @Test
    void methodsHaveALeaseWhoseTokenGrows() {
        runner.run(context -> {
            Deployer deployer = context.getBean(Deployer.class);
            LockTemplate template = context.getBean(LockTemplate.class);
            LongStream tokens = LongStream.of(
                    deployer.deploy(42).fencingToken(),
                    deployer.later(42).toCompletableFuture().get(10, TimeUnit.SECONDS),
                    deployer.one(42).block(SOON),
                    deployer.many(42).blockLast(SOON),
                    template.<Long, RuntimeException>execute(
                            LockRequest.of("deploy", 42),
                            lease -> LockContext.currentLease().fencingToken()),
                    deployer.deploy(43).fencingToken());
            assertThat(tokens.boxed()).isSorted().doesNotHaveDuplicates().allMatch(token -> token > 0);
        });
    }

    @Test
    void leaseNamesItsLockAndIsReleasedWithTheMethod() {
        runner.run(context -> {
            Lease lease = context.getBean(Deployer.class).deploy(42);
            assertThat(lease.names()).containsExactly("deploy.42");
            assertThat(lease.isHeld()).isFalse();
        });
    }

    @Test
    void callsForTheSameLockRunAtTheSameTime() {
        runner.run(context -> {
            Deployer deployer = context.getBean(Deployer.class);
            CyclicBarrier together = new CyclicBarrier(2);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                CompletableFuture<Void> first = CompletableFuture.runAsync(() -> deployer.meet(42, together), threads);
                deployer.meet(42, together);
                assertThat(first).succeedsWithin(SOON);
            } finally {
                threads.shutdownNow();
            }
        });
    }

    @Test
    void waitStrategyThatIsValidWithLocksIsValidWithout() {
        runner.withBean(Keyspace.class)
                .withPropertyValues("baton.wait-strategy=keyspace", "baton.scopes.index.wait-strategy=keyspace")
                .run(context ->
                        assertThat(context.getBean(Keyspace.class).rebuild()).isEqualTo("rebuilt"));
    }

    static class Keyspace {

        @DistributedLock(scope = "index", waitStrategy = WaitStrategy.KEYSPACE)
        String rebuild() {
            return "rebuilt";
        }
    }

    /** A breakpoint, or an expire that the work exceeds, must not fail a method that nothing protects. */
    @Test
    void leaseOfAMethodDoesNotEnd() {
        runner.run(
                context -> assertThat(context.getBean(Deployer.class).limited()).isGreaterThan(Duration.ofDays(365)));
    }

    @Test
    void keyIsEvaluatedAndNullRefused() {
        runner.run(context -> assertThatIllegalArgumentException()
                .isThrownBy(() -> context.getBean(Deployer.class).named(null))
                .withMessageContaining("key '#name' of Deployer.named(..)"));
    }

    @Test
    void conditionDecidesWhetherThereIsALease() {
        runner.run(context -> {
            assertThat(context.getBean(Deployer.class).unless(true)).isEmpty();
            assertThat(context.getBean(Deployer.class).unless(false)).isPresent();
        });
    }

    @Test
    void reentryIsRefusedAsWithLocks() {
        runner.run(context -> context.getBean(LockTemplate.class)
                .executeWithoutResult(
                        "once",
                        LockRequest.GLOBAL,
                        lease -> assertThatExceptionOfType(LockDeadlockException.class)
                                .isThrownBy(
                                        () -> context.getBean(Deployer.class).once())));
    }

    @Test
    void wrongDeclarationFailsTheStart() {
        runner.withBean(Wrong.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockDefinitionException.class)
                        .hasMessageContaining("'daily'"));
    }

    @Test
    void methodsDoNotUseTheOperationsOfTheApplication() {
        RecordingOperations own = new RecordingOperations();
        runner.withBean(LockOperations.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(LockOperations.class);
            assertThat(context.getBean(Deployer.class).deploy(42).fencingToken())
                    .isPositive();
            assertThat(own.names).isEmpty();
        });
    }

    @Test
    void tokensOfATemplateOfTheApplicationGrowWithThoseOfMethods() {
        runner.withUserConfiguration(OwnTemplate.class).run(context -> {
            long before = context.getBean(Deployer.class).deploy(42).fencingToken();
            long own = context.getBean(LockTemplate.class)
                    .<Long, RuntimeException>execute(LockRequest.of("deploy", 42), Lease::fencingToken);
            long after = context.getBean(Deployer.class).deploy(42).fencingToken();
            assertThat(Stream.of(before, own, after)).isSorted().doesNotHaveDuplicates();
        });
    }

    @Test
    void activeTransactionNeitherRefusesNorWarns(CapturedOutput output) {
        Contexts.withDatabase(runner, "disabled")
                .withBean(Accounts.class)
                .withPropertyValues("baton.in-transaction=refuse")
                .run(context -> {
                    Accounts accounts = context.getBean(Accounts.class);
                    accounts.create();
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(
                                    status -> assertThat(accounts.deposit(5).isHeld())
                                            .as("held after the method")
                                            .isFalse());
                    assertThat(accounts.balance()).isEqualTo(5);
                });
        assertThat(output).doesNotContain("inside a transaction");
    }

    @Test
    void lockedCachesLoadAtOnce() {
        runner.withBean(CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues("baton.cache.enabled=true")
                .run(context -> assertThat(context.getBean(CacheManager.class)
                                .getCache("books")
                                .get(1, () -> LockContext.currentLease().names().get(0)))
                        .isEqualTo("cache.books.1"));
    }

    @Test
    void healthIsUp() {
        runner.run(context -> assertThat(LockHealth.of(context.getBean(LockTemplate.class)))
                .satisfies(health ->
                        assertThat(health.up()).as("%s", health.details()).isTrue()));
    }

    @Test
    void endpointShowsTheMethodsThatRun() {
        runner.withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
                .withBean(Looking.class)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=locks",
                        "management.endpoint.locks.show-values=always")
                .run(context -> {
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    LockReports.Instance seen = context.getBean(Looking.class).look(endpoint);
                    assertThat(seen.problem()).isNull();
                    assertThat(seen.held())
                            .singleElement()
                            .satisfies(held -> assertThat(held.locks()).containsExactly("look.global"));
                    assertThat(((LockReports.Instance) endpoint.locks(null, null)).held())
                            .isEmpty();
                });
    }

    static class Deployer {

        @DistributedLock(scope = "deploy", key = "#id")
        public Lease deploy(long id) {
            Lease lease = LockContext.currentLease();
            assertThat(lease.isHeld()).isTrue();
            lease.verify();
            return lease;
        }

        @DistributedLock(scope = "deploy", key = "#id")
        public CompletionStage<Long> later(long id) {
            return CompletableFuture.completedFuture(LockContext.currentLease().fencingToken());
        }

        @DistributedLock(scope = "deploy", key = "#id")
        public Mono<Long> one(long id) {
            return Mono.just(LockContext.currentLease().fencingToken());
        }

        @DistributedLock(scope = "deploy", key = "#id")
        public Flux<Long> many(long id) {
            return Flux.just(LockContext.currentLease().fencingToken());
        }

        @DistributedLock(scope = "deploy", key = "#id")
        public void meet(long id, CyclicBarrier barrier) {
            try {
                barrier.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
                throw new IllegalStateException("the other call has not begun", ex);
            }
        }

        @DistributedLock(scope = "limited", expireString = "10ms")
        public Duration limited() {
            return LockContext.currentLease().remaining();
        }

        @DistributedLock(scope = "named", key = "#name")
        public void named(@Nullable String name) {}

        @DistributedLock(scope = "dry", condition = "#dryRun == false")
        public Optional<Lease> unless(boolean dryRun) {
            return LockContext.findLease();
        }

        @DistributedLock(scope = "once", reentrant = false)
        public void once() {}
    }

    static class Wrong {

        @DistributedLock(scope = "report", key = "daily")
        public void build() {}
    }

    static class Accounts {

        private final JdbcTemplate database;

        Accounts(JdbcTemplate database) {
            this.database = database;
        }

        void create() {
            database.execute("CREATE TABLE disabled_account (balance BIGINT)");
            database.update("INSERT INTO disabled_account VALUES (0)");
        }

        @Transactional
        @DistributedLock(scope = "account")
        public Lease deposit(long amount) {
            database.update("UPDATE disabled_account SET balance = balance + ?", amount);
            return LockContext.currentLease();
        }

        long balance() {
            return database.queryForObject("SELECT balance FROM disabled_account", Long.class);
        }
    }

    static class Looking {

        @DistributedLock(scope = "look")
        public LockReports.Instance look(LocksEndpoint endpoint) {
            return (LockReports.Instance) endpoint.locks(null, null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        @Bean
        LockTemplate ownTemplate(LockStore store) {
            return LockTemplate.builder(store).build();
        }
    }
}
