package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockLostException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.reactive.ReactiveLockContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tests reactive transactions under a lock, which are rolled back if the lock is lost, and transactions around a lock.
 */
@Timeout(60)
class ReactiveCommitTests {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final List<String> JOURNAL = new CopyOnWriteArrayList<>();

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.with(redis)
            .withConfiguration(AutoConfigurations.of(TransactionAutoConfiguration.class))
            .withBean(JournalManager.class)
            .withBean(Ledger.class)
            .withInitializer(context -> JOURNAL.clear());

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void transactionUnderAHeldLockIsCommitted() {
        runner.run(context -> {
            assertThat(context.getBean(Ledger.class).one(() -> {}).block(SOON)).isEqualTo("one");
            assertThat(context.getBean(Ledger.class)
                            .many(() -> {})
                            .collectList()
                            .block(SOON))
                    .containsExactly("a", "b");
            assertThat(JOURNAL).containsExactly("begin", "work", "commit", "begin", "work", "commit");
        });
    }

    @Test
    void transactionUnderALostLockIsRolledBack() {
        runner.run(context -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Ledger.class)
                            .one(this::deleteTheKey)
                            .block(SOON));
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Ledger.class)
                            .many(this::deleteTheKey)
                            .blockLast(SOON));
            assertThat(JOURNAL).containsExactly("begin", "work", "rollback", "begin", "work", "rollback");
        });
    }

    @Test
    void transactionOfTheWorkIsRolledBackIfItVerifiesTheLock() {
        runner.run(context -> {
            TransactionalOperator operator = TransactionalOperator.create(context.getBean(JournalManager.class));
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Ledger.class)
                            .under(Mono.fromRunnable(this::deleteTheKey)
                                    .then(ReactiveLockContext.verify())
                                    .thenReturn("x")
                                    .as(operator::transactional))
                            .block(SOON));
            assertThat(JOURNAL).containsExactly("begin", "rollback");
        });
    }

    @Test
    void lockInsideAnActiveTransactionIsHeldUntilTheTransactionCompletes() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            enclosed(
                            context.getBean(JournalManager.class),
                            ledger.under(Mono.just("x"))
                                    .then(look())
                                    // the transaction holds the lock already
                                    .then(ledger.under(Mono.just("y")))
                                    .then(look()))
                    .block(SOON);
            assertThat(JOURNAL).containsExactly("begin", "held true", "held true", "commit");
            assertThat(isHeld()).isFalse();

            Mono<String> failing = Mono.error(new IllegalStateException("the body failed"));
            assertThatIllegalStateException()
                    .isThrownBy(() -> enclosed(
                                    context.getBean(JournalManager.class),
                                    ledger.under(Mono.just("x")).then(failing))
                            .block(SOON))
                    .withMessage("the body failed");
            assertThat(JOURNAL).endsWith("begin", "rollback");
            assertThat(isHeld()).isFalse();
        });
    }

    @Test
    void lockOfACancelledTransactionIsReleased() {
        runner.run(context -> {
            Disposable transaction = enclosed(
                            context.getBean(JournalManager.class),
                            context.getBean(Ledger.class)
                                    .under(Mono.just("x"))
                                    .then(look())
                                    .then(Mono.never()))
                    .subscribe();
            await().until(() -> JOURNAL.contains("held true"));
            transaction.dispose();
            await().until(() -> JOURNAL.contains("rollback") && !isHeld());
        });
    }

    @Test
    void lostLockOfAnActiveTransactionVetoesTheCommit() {
        runner.run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> enclosed(
                                    context.getBean(JournalManager.class),
                                    ledger.under(Mono.just("x")).then(Mono.fromRunnable(this::deleteTheKey)))
                            .block(SOON));
            assertThat(JOURNAL).containsExactly("begin", "rollback");
        });
    }

    @Test
    void lockInsideAnActiveTransactionIsRefusedOrLogged() {
        runner.withPropertyValues("baton.in-transaction=refuse").run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> enclosed(
                                    context.getBean(JournalManager.class),
                                    context.getBean(Ledger.class).under(Mono.just("x")))
                            .block(SOON))
                    .withMessageContaining("a reactive transaction is already active")
                    .withMessageContaining("baton.in-transaction=refuse");
            assertThat(JOURNAL).containsExactly("begin", "rollback");
        });
        runner.withPropertyValues("baton.in-transaction=warn").run(context -> {
            enclosed(
                            context.getBean(JournalManager.class),
                            context.getBean(Ledger.class).under(Mono.just("x")).then(look()))
                    .block(SOON);
            assertThat(JOURNAL).containsExactly("begin", "held false", "commit");
        });
    }

    @Test
    void lockOfTheSameNameInAnotherNamespaceIsNotHeld() {
        runner.withPropertyValues("baton.in-transaction=refuse").run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            JournalManager manager = context.getBean(JournalManager.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> ledger.abroad(enclosed(manager, ledger.under(Mono.just("x"))))
                            .block(SOON))
                    .withMessageContaining("a reactive transaction is already active");
            assertThat(ledger.abroad(enclosed(manager, ledger.abroad(Mono.just("x"))))
                            .block(SOON))
                    .isEqualTo("x");
        });
    }

    private static <T> Mono<T> enclosed(JournalManager manager, Mono<T> work) {
        return work.as(TransactionalOperator.create(manager)::transactional);
    }

    private Mono<Void> look() {
        return Mono.fromRunnable(() -> JOURNAL.add("held " + isHeld()));
    }

    private boolean isHeld() {
        return redis.keys().contains("lock:lock:{ledger.global}");
    }

    private void deleteTheKey() {
        redis.command("DEL", "lock:lock:{ledger.global}");
    }

    static class Ledger {

        @Transactional
        @DistributedLock("ledger")
        public Mono<String> one(Runnable meanwhile) {
            return Mono.fromSupplier(() -> work(meanwhile, "one"));
        }

        @Transactional
        @DistributedLock("ledger")
        public Flux<String> many(Runnable meanwhile) {
            return Mono.fromSupplier(() -> work(meanwhile, "a")).concatWith(Mono.just("b"));
        }

        @DistributedLock("ledger")
        public Mono<String> under(Mono<String> work) {
            return work;
        }

        @DistributedLock(scope = "ledger", namespace = "abroad")
        public Mono<String> abroad(Mono<String> work) {
            return work;
        }

        private static String work(Runnable meanwhile, String result) {
            JOURNAL.add("work");
            meanwhile.run();
            return result;
        }
    }

    /** A manager of empty transactions. */
    static class JournalManager extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager manager) {
            return manager.hasResource(this);
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return (Boolean) transaction;
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager manager, Object transaction, TransactionDefinition definition) {
            return Mono.fromRunnable(() -> {
                manager.bindResource(this, "active");
                JOURNAL.add("begin");
            });
        }

        @Override
        protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> JOURNAL.add("commit"));
        }

        @Override
        protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> JOURNAL.add("rollback"));
        }

        @Override
        protected Mono<Void> doSetRollbackOnly(
                TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> JOURNAL.add("rollback only"));
        }

        @Override
        protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager manager, Object transaction) {
            return Mono.fromRunnable(() -> manager.unbindResource(this));
        }
    }
}
