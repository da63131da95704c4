package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockLostException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.reactive.ReactiveLockContext;
import dev.baton.lock.test.TestRedis;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive transactions under a lock: rolled back if it is lost, and what happens to one that encloses the lock. */
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
    void heldLockIsCommitted() {
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
    void lostLockIsRolledBack() {
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
    void transactionOfTheBodyIsRolledBackIfItAsks() {
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
    void lockInsideAnActiveTransactionIsRefusedUnlessThatIsOnlyToBeWarnedOf() {
        runner.run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> enclosed(context.getBean(JournalManager.class), context.getBean(Ledger.class)))
                    .withMessageContaining("a reactive transaction is already active")
                    .withMessageContaining("baton.in-transaction=warn");
            assertThat(JOURNAL).containsExactly("begin", "rollback");
        });
        runner.withPropertyValues("baton.in-transaction=warn").run(context -> {
            enclosed(context.getBean(JournalManager.class), context.getBean(Ledger.class));
            assertThat(JOURNAL).containsExactly("begin", "commit");
        });
    }

    private static void enclosed(JournalManager manager, Ledger ledger) {
        ledger.under(Mono.just("x"))
                .as(TransactionalOperator.create(manager)::transactional)
                .block(SOON);
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

        private static String work(Runnable meanwhile, String result) {
            JOURNAL.add("work");
            meanwhile.run();
            return result;
        }
    }

    /** Transactions of nothing. */
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
