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
 * Stops an engine: waits for holders to finish, then for the answers to owed ends, each for a bounded time. Leases are
 * renewed and released meanwhile. A lease that is still held afterwards is left to its holder, and expires on its own.
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

    /** Returns whether the engine is stopping, or has stopped. */
    boolean hasBegun() {
        return begun.get();
    }

    /** Begins the stop. Returns {@code false} if another call had begun it; that other call has then finished. */
    boolean begin() {
        if (begun.compareAndSet(false, true)) {
            return true;
        }
        done.join();
        return false;
    }

    /**
     * Waits for holders, then for owed ends. An interrupt ends the wait.
     *
     * @param busy whether a lock is held, or a waiter has not noticed yet that it waits in vain
     * @param owing whether an end is still owed to the store
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
                // the clock of a test may stop, but an application must stop in time: bound the real time, too
                && System.nanoTime() - really < nanos
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, STEP_NANOS);
        }
    }

    /** Logs, once, the locks that are still held. */
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
