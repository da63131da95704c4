package dev.baton.lock.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Where the locks are. Never waits: every method returns at once, and every future completes within its command's
 * time-out, exceptionally with a {@link StoreException} if there was no answer, or an error.
 *
 * <p>Thread-safe. Each operation is one step: no other one of the same lock runs in between.
 */
public interface LockStore {

    /**
     * Begins to listen for grants, in the background: a store that is down delays nothing, and is tried again until it
     * answers or {@link #stop()} is called. Commands are accepted from now on.
     *
     * @param instance identity of this process, never used again after {@link #stop()}
     * @param inbox who is told
     */
    void start(String instance, GrantInbox inbox);

    /** Stops listening and gives connections back. May be started again. */
    void stop();

    /**
     * A number that stays the same as long as commands are carried out in the order in which they were given, each once. When
     * it has changed, one that was given before may still be carried out after one that is given now. A store that keeps no
     * order returns another number each time.
     */
    long order();

    /** Whether grants would be told just now, as far as is known. */
    boolean isListening();

    /** Subscribes anew, in the background: messages seem to get lost. */
    void listenAnew();

    CompletableFuture<AcquireReply> acquire(AcquireCommand command);

    CompletableFuture<EndReply> end(EndCommand command);

    /** Both in one step, or else one after the other. */
    default CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return end(command.end()).thenCombine(acquire(command.acquire()), ExchangeReply::new);
    }

    /**
     * Has a holder begin anew, in one step, if nobody else waits. Called by the thread that passes the lock on; does not block, and a
     * failure of any kind means no more than that it is not known. A store that does not override it answers {@link ExtendReply#WANTED},
     * and loses nothing but time: the lock goes by way of it more often.
     */
    default CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return CompletableFuture.completedFuture(ExtendReply.WANTED);
    }

    /** One answer per renewal, in its order: those of its locks that the request does not hold any more; empty: it holds all. */
    CompletableFuture<List<List<LockName>>> renew(RenewCommand command);

    /** Which store, where, and what configures it, for messages: {@code Redis at localhost:6379 (spring.data.redis.*)}. */
    String describe();

    /**
     * Returns what this store can do. The answer is constant from the first reply of a session on; before it, a store that chooses
     * by that reply answers as it expects to choose.
     */
    default StoreTraits traits() {
        return StoreTraits.GRANT;
    }

    /** Returns the keys of the store that stand for a held lock. */
    List<String> keys(LockName name);

    /** Returns the operations for people and tools, which no lock needs. */
    LockStoreAdministration administration();

    /**
     * Of {@link dev.baton.lock.WaitStrategy#KEYSPACE}: a request waits for this lock from now on. The inbox is told when changes of
     * the lock are going to be noticed, and of each change; begun in the background.
     */
    default void watch(LockName name) {
        // who waits is told otherwise
    }

    /** Nobody waits for this lock any more. */
    default void unwatch(LockName name) {
        // nothing was begun
    }
}
