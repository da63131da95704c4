package dev.baton.lock.scenario;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Some processes that share locks, and their time. A scenario never sleeps: it lets the time of its fleet pass, which may be
 * virtual. A test uses its fleet from one thread.
 */
public interface Fleet extends AutoCloseable {

    /** Starts a process, and returns when it learns of grants. */
    LockTemplate start(Consumer<LockTemplateBuilder> settings);

    /** Starts a process with the settings of the fleet. */
    default LockTemplate start() {
        return start(settings -> {});
    }

    /** Runs a task on a thread of its own. Any thread may begin one. */
    <T> CompletableFuture<T> begin(Callable<T> task);

    /** Returns the result of what was begun; lets time pass until it is there. Throws what the task threw. */
    <T> T get(Future<T> future) throws Exception;

    /** Returns the result of what was begun. Fails if it is not there by then. */
    default <T> T get(Future<T> future, Duration atMost) throws Exception {
        until(atMost, future::isDone);
        return get(future);
    }

    /** Runs a task while time passes, and returns its result. For tasks that wait. */
    default <T> T call(Callable<T> task) throws Exception {
        return get(begin(task));
    }

    /** Lets time pass until the condition holds. Fails if it does not hold by then. */
    void until(Duration atMost, BooleanSupplier condition);

    /** Lets time pass. */
    void pass(Duration duration);

    /** Returns the monotonic time of the fleet, to any thread. */
    long nanoTime();

    /** Returns how long ago this was. */
    default Duration since(long nanos) {
        return Duration.ofNanos(nanoTime() - nanos);
    }

    /** Returns how long a step may take that waits for no time: next to nothing in virtual time. */
    Duration moment();

    /** Deletes a lock, as an operator deletes its key. No process is notified. */
    void delete(String name);

    /** Returns whether a lock is held, or kept from others. */
    boolean isHeld(String name);

    /** Returns whether these locks are held, and no others, and none is awaited. All of them are in no nested namespace. */
    boolean isHeldOnly(String... names);

    /** Returns when so many requests wait for this lock, each at its place. */
    void awaitWaiting(String name, int requests);

    /**
     * Returns when so many requests wait for the one lock of this request, in its namespace, each at its place; or for its
     * several locks, in a queue of each or by asking again.
     */
    void awaitWaiting(LockRequest request, int requests);

    /** Returns when so many requests of all processes await conditions, as the store has answered. */
    void awaitAwaiting(int requests);

    /** Fails if any lock is held or awaited, or if any process has something left to do. */
    void assertNothingLeft();

    /** Returns how the waiters of all processes learn that it may be their turn. */
    WaitStrategy strategy();

    /** Returns whether the processes subscribe to messages. A process that only polls does not. */
    default boolean isSubscribed() {
        return strategy() != WaitStrategy.POLLING;
    }

    /** Stops all processes. */
    @Override
    void close() throws Exception;
}
