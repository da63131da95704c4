package dev.baton.lock.engine;

import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an engine: waits for holders to finish, then for the answers to what is owed, each for a bounded time. Leases
 * are renewed and given back meanwhile; what is held after it is left to its holder, and ends by itself.
 */
public final class ShutdownSequence {

    private static final Logger log = LoggerFactory.getLogger(ShutdownSequence.class);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final EngineSettings settings;
    private final TimeSource time;

    ShutdownSequence(EngineSettings settings, TimeSource time) {
        this.settings = settings;
        this.time = time;
    }

    /** Whether the engine stops, or has stopped. */
    boolean hasBegun() {
        return begun.get();
    }

    /** Begins; false: another has begun, and has finished when this returns. */
    boolean begin() {
        if (begun.compareAndSet(false, true)) {
            return true;
        }
        done.join();
        return false;
    }

    /**
     * Waits. An interrupt ends it.
     *
     * @param busy whether somebody holds a lock, or has not noticed yet that he waits in vain
     * @param owing whether something is owed to the store
     */
    void await(BooleanSupplier busy, BooleanSupplier owing) {
        awaitNot(busy, settings.shutdownAwaitNanos());
        awaitNot(owing, settings.commandTimeoutNanos());
    }

    private void awaitNot(BooleanSupplier condition, long nanos) {
        long since = time.nanoTime();
        long really = System.nanoTime();
        while (condition.getAsBoolean()
                && time.nanoTime() - since < nanos
                // a test's clock may stand still, the end of an application may not
                && System.nanoTime() - really < nanos
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, STEP_NANOS);
        }
    }

    /** Says once what nobody gave back. */
    void report(List<String> held) {
        if (!held.isEmpty()) {
            log.warn(
                    "Stopping while {} lock(s) are held, after {} ms (baton.shutdown.await); they come free when their leases"
                            + " end: {}",
                    held.size(),
                    TimeUnit.NANOSECONDS.toMillis(settings.shutdownAwaitNanos()),
                    held);
        }
    }

    void finish() {
        done.complete(null);
    }
}
