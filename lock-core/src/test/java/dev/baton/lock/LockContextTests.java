package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LockContextTests {

    private final Lease outer = new StubLease("outer");
    private final Lease inner = new StubLease("inner");

    @Test
    void leaseOfTheRunningWorkIsCurrent() {
        String result = LockContext.callWith(outer, lease -> {
            assertThat(lease).isSameAs(outer);
            assertThat(LockContext.currentLease()).isSameAs(outer);
            assertThat(LockContext.findLease()).containsSame(outer);
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(LockContext.findLease()).isEmpty();
    }

    @Test
    void innermostLeaseIsCurrent() {
        LockContext.callWith(outer, lease -> {
            LockContext.callWith(
                    inner, other -> assertThat(LockContext.currentLease()).isSameAs(inner));
            return assertThat(LockContext.currentLease()).isSameAs(outer);
        });

        assertThat(LockContext.findLease()).isEmpty();
    }

    @Test
    void outerLeaseIsRestoredAfterAnException() {
        LockContext.callWith(outer, lease -> {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> LockContext.callWith(inner, other -> {
                        throw new IOException("the work's own, unwrapped");
                    }))
                    .withMessage("the work's own, unwrapped");
            return assertThat(LockContext.currentLease()).isSameAs(outer);
        });

        assertThat(LockContext.findLease()).isEmpty();
    }

    @Test
    void otherThreadHasNoLease() throws Exception {
        Optional<Lease> elsewhere = LockContext.callWith(
                outer,
                lease -> CompletableFuture.supplyAsync(LockContext::findLease).get(5, TimeUnit.SECONDS));

        assertThat(elsewhere).isEmpty();
    }

    @Test
    void currentLeaseOutsideALockFailsWithAdvice() {
        assertThatIllegalStateException()
                .isThrownBy(LockContext::currentLease)
                .withMessage(
                        "thread '" + Thread.currentThread().getName()
                                + "' is not running under a lock; call the method with @DistributedLock on the bean, not on 'this', and pass the lease to other threads explicitly");
    }
}
