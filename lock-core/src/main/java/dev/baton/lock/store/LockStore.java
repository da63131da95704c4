package dev.baton.lock.store;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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

    /**
     * Whether it makes tokens as {@link Tokens} says, so that an even one means that those are kept which a request reserves, whoever
     * grants it: then a process may pass a lock on by itself. May change as long as it is not known how locks are kept.
     */
    default boolean reservesTokens() {
        return false;
    }

    /** One answer per renewal, in its order: those of its locks that the request does not hold any more; empty: it holds all. */
    CompletableFuture<List<List<LockName>>> renew(RenewCommand command);

    /**
     * Looks at a lock and changes nothing.
     *
     * @param waiters how many of those who wait are to be named, not negative
     */
    CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos);

    /** Some of the locks that are held; whatever its number of keys, it takes no longer than other commands. */
    CompletableFuture<ScanPage> scan(ScanCommand command);

    /** Takes a lock from its holder, tells the holder, and hands the lock over as {@link #end} does. */
    CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos);

    /** Which store, where, and what configures it, for messages: {@code Redis at localhost:6379 (spring.data.redis.*)}. */
    String describe();

    /**
     * How locks are kept and handed over. Never fails: what is not known is left out.
     *
     * @param timeoutNanos when an answer is no longer awaited
     */
    default CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        return CompletableFuture.completedFuture(new LockCapabilities(
                LockCapabilities.Handler.OTHER,
                WaitStrategy.GRANT,
                LockCapabilities.Topology.OTHER,
                Optional.empty(),
                false));
    }

    /**
     * The store's time of day, for people; empty: it has none of its own.
     *
     * @param timeoutNanos when an answer is no longer awaited
     */
    default CompletableFuture<Optional<Instant>> time(long timeoutNanos) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** The keys of the store that stand for a held lock. */
    List<String> keys(LockName name);

    /**
     * How those that wait learn that it may be their turn; always the same. A store whose strategy is not
     * {@link WaitStrategy#GRANT} puts nobody into a queue, whatever kind its requests are: each is granted by the answer, or
     * not.
     */
    default WaitStrategy waitStrategy() {
        return WaitStrategy.GRANT;
    }

    /** The longest pause of {@link WaitStrategy#POLLING} between two questions, positive; without a meaning otherwise. */
    default Duration pollingInterval() {
        throw new UnsupportedOperationException(describe() + " does not poll");
    }

    /** Why it grants one lock per request only, and the remedy; null: it grants several together. */
    default @Nullable String oneLockOnly() {
        return null;
    }

    /** Why an end has to be answered before the next command is given, and the remedy; null: {@link #order()} tells. */
    default @Nullable String confirmedOnly() {
        return null;
    }

    /**
     * Of {@link WaitStrategy#KEYSPACE}: somebody waits for this lock from now on. The inbox is told when changes of it are
     * going to be noticed, and of each change; begun in the background.
     */
    default void watch(LockName name) {
        // who waits is told otherwise
    }

    /** Nobody waits for this lock any more. */
    default void unwatch(LockName name) {
        // nothing was begun
    }
}
