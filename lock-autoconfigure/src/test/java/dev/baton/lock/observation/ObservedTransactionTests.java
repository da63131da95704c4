package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.autoconfigure.LockAutoConfiguration;
import dev.baton.lock.autoconfigure.LockObservationAutoConfiguration;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.test.simple.SimpleSpan;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests the spans of locks that are acquired inside a transaction, and so are held until its end. */
class ObservedTransactionTests {

    private static final LockRequest REQUEST = LockRequest.of("account");

    private final Spans spans = new Spans();
    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final TransactionTemplate transaction = new TransactionTemplate(new WithoutResource());
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Observation request = spans.begin("request");

    @BeforeEach
    void start() {
        context.registerBean(ObservationRegistry.class, () -> spans.registry);
        context.registerBean(TestClock.class, store::clock);
        context.registerBean(InMemoryLockStore.class, () -> store);
        context.registerBean(Accounts.class);
        context.register(LockAutoConfiguration.class, LockObservationAutoConfiguration.class);
        context.refresh();
    }

    @AfterEach
    void nothingIsLeftInThisThread() {
        assertThat(spans.current()).isNull();
        context.close();
    }

    @Test
    void spanLastsUntilTheCommitAndIsCurrentWhileTheMethodRuns() {
        inTransactionOfTheRequest(() -> {
            Observation inside = accounts().book(spans::current);
            assertThat(inside).as("the span in the method").isNotNull().isNotSameAs(request);
            assertThat(spans.current()).as("the span after the method").isSameAs(request);
            assertKept();
        });
        assertOverWithoutError();
    }

    @Test
    void rollbackEndsTheSpanAndIsNoError() {
        inTransactionOfTheRequest(() -> {
            accounts().book(spans::current);
            assertKept();
            throw new RequestedRollback();
        });
        assertOverWithoutError();
    }

    @Test
    void failureOfTheMethodIsTheErrorOfTheSpanAfterTheTransaction() {
        inTransactionOfTheRequest(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> accounts().book(() -> {
                        throw new IllegalStateException("no money");
                    }));
            assertKept();
        });
        assertThat(Spans.isOver(spans.lock())).isTrue();
        assertThat(spans.lock().getError()).hasMessage("no money");
    }

    @Test
    void lossThatVetoesTheCommitIsTheErrorOfTheSpan() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inTransactionOfTheRequest(() -> {
                    accounts().book(spans::current);
                    try (LockTemplate other = LockTemplate.builder(store.newProcess())
                            .time(store.clock())
                            .build()) {
                        other.forceRelease(REQUEST);
                    }
                }));
        // the span ends in a callback thread
        await().until(() -> Spans.isOver(spans.lock()));
        assertThat(spans.lock().getError()).isInstanceOf(LockLostException.class);
    }

    /** Thrown to roll the transaction back. */
    private static final class RequestedRollback extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    private void inTransactionOfTheRequest(Runnable work) {
        try (Observation.Scope scope = request.openScope()) {
            transaction.executeWithoutResult(status -> work.run());
        } catch (RequestedRollback ex) {
            assertThat(ex).hasNoSuppressedExceptions();
        } finally {
            request.stop();
        }
    }

    private Accounts accounts() {
        return context.getBean(Accounts.class);
    }

    private void assertKept() {
        assertThat(context.getBean(LockTemplate.class).isLocked(REQUEST)).isTrue();
        assertThat(Spans.isOver(spans.lock()))
                .as("the span must not end before the transaction")
                .isFalse();
    }

    private void assertOverWithoutError() {
        SimpleSpan span = spans.lock();
        assertThat(Spans.isOver(span)).isTrue();
        assertThat(spans.parent(span)).isEqualTo("request");
        assertThat(span.getError()).isNull();
        assertThat(span.getTags()).containsEntry("baton.outcome", "granted").containsEntry("baton.scope", "account");
        assertThat(span.getEvents()).hasSize(1);
        assertThat(context.getBean(LockTemplate.class).isLocked(REQUEST)).isFalse();
    }

    static class Accounts {

        @DistributedLock("account")
        public @Nullable Observation book(Supplier<@Nullable Observation> work) {
            return work.get();
        }
    }

    /** A manager of empty transactions. */
    private static final class WithoutResource extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
