package dev.baton.lock.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the locks. Every future completes within the time-out of its command. A future fails with a
 * {@link StoreException} if the store did not answer, or answered with an error.
 *
 * <p>Every method returns at once, with one exception: a command that names its {@link WaitingCaller} may be carried out
 * in the calling thread. The method then returns when the command has been answered or given up, within the time that
 * the caller waits. An {@link ExchangeCommand} names the caller in its end.
 *
 * <p>Thread-safe. Each operation is one step: no other operation on the same lock runs in between.
 */
public interface LockStore {

    /**
     * Begins to listen for grants, in the background. A store that is down delays nothing: the attempt is repeated
     * until the store answers or {@link #stop()} is called. Commands are accepted from now on.
     *
     * @param instance the identity of this process, never used again after {@link #stop()}
     * @param inbox the receiver of messages
     */
    void start(String instance, GrantInbox inbox);

    /** Stops listening and returns its connections. The store may be started again. */
    void stop();

    /**
     * Returns a number that stays the same as long as commands are carried out in the order in which they were sent,
     * each once. After the number has changed, an earlier command may still be carried out after a command that is sent
     * now. A store that keeps no order returns another number each time.
     */
    long order();

    /** Returns whether messages about grants would arrive at present, as far as is known. */
    boolean isListening();

    /** Subscribes again, in the background, because messages seem to get lost. */
    void listenAgain();

    CompletableFuture<AcquireReply> acquire(AcquireCommand command);

    CompletableFuture<EndReply> end(EndCommand command);

    /** Carries out both commands, in one step or one after the other. Neither of the two requests shares its lock. */
    default CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return end(command.end()).thenCombine(acquire(command.acquire()), ExchangeReply::new);
    }

    /**
     * Extends the grant of a holder, as if it had been granted just now, in one step, if no other request waits. Called
     * by the thread that passes the lock on, and does not block. A failure of any kind only means that the result is
     * unknown. The default answers {@link ExtendReply#WANTED}. The default only costs time: the lock returns to the
     * store more often.
     */
    default CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return CompletableFuture.completedFuture(ExtendReply.WANTED);
    }

    /**
     * Turns a holder into a reader. Only called if the store {@linkplain StoreTraits#exclusiveOnly() shares locks}. The
     * default fails.
     */
    default CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return CompletableFuture.failedFuture(
                new StoreException(describe() + " does not share locks", false, true, null));
    }

    /**
     * Takes locks from the requests that hold them. The default fails: a store of one's own need not support it.
     */
    default CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        return CompletableFuture.failedFuture(new StoreException(
                describe() + " cannot take a lock from its holder in one step; release it by force, and acquire it",
                false,
                true,
                null));
    }

    /**
     * Tells all processes with requests that hold a lock, by {@link GrantInbox#wanted}, that another request has waited for
     * it for long. The result says how many processes were told, whether they listen or not. A failure has no
     * consequence. The default tells none.
     *
     * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
     */
    default CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return CompletableFuture.completedFuture(0);
    }

    /**
     * Lets a request await a condition. Only called if the store {@linkplain StoreTraits#noConditions() has conditions}.
     * The default fails.
     */
    default CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return CompletableFuture.failedFuture(new StoreException(describe() + " has no conditions", false, true, null));
    }

    /** Signals requests that await a condition, under the same premise as {@link #await}. The default fails. */
    default CompletableFuture<SignalReply> signal(SignalCommand command) {
        return CompletableFuture.failedFuture(new StoreException(describe() + " has no conditions", false, true, null));
    }

    /**
     * Renews leases. The result has one list per renewal, in the order of the renewals: the locks that the request no
     * longer holds. The list is empty if the request holds all of its locks.
     */
    CompletableFuture<List<List<LockName>>> renew(RenewCommand command);

    /**
     * Returns the part of the store that keeps a lock. One command renews leases of one part only, so that a part that does
     * not answer holds up no other. The default says that the store has one part.
     */
    default int shard(LockName name) {
        return 0;
    }

    /**
     * Describes the store, its address and its configuration, for messages: {@code Redis at localhost:6379
     * (spring.data.redis.*)}.
     */
    String describe();

    /** Returns the namespace of all locks of this store, for messages; empty if the store has none. */
    default String namespace() {
        return "";
    }

    /**
     * Returns what this store can do. The traits are constant from the first reply of a session on. Before that reply,
     * a store that chooses its traits by the reply returns the traits that it expects to choose.
     */
    default StoreTraits traits() {
        return StoreTraits.GRANT;
    }

    /** Returns the keys in the store that represent a held lock. */
    List<String> keys(LockName name);

    /** Returns the operations for people and tools. Locks work without them. */
    LockStoreAdministration administration();

    /**
     * Begins to watch a lock that a request waits for, in the background; for
     * {@link dev.baton.lock.WaitStrategy#KEYSPACE}. The inbox is notified when the store begins to notice changes of
     * the lock, and of each change.
     */
    default void watch(LockName name) {
        // waiters are notified in another way
    }

    /** Stops watching a lock that no request waits for any longer. */
    default void unwatch(LockName name) {
        // nothing was begun
    }
}
