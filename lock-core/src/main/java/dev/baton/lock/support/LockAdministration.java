package dev.baton.lock.support;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockInspection;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockPage;
import dev.baton.lock.LockState;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Inspects and force-releases locks by their whole names, {@code scope.key}, and checks the store itself. For endpoints
 * and health checks. Thread-safe; waits and fails as {@link LockInspection} does.
 */
public final class LockAdministration {

    private final LockInspector inspector;

    LockAdministration(LockInspector inspector) {
        this.inspector = inspector;
    }

    /**
     * Returns the holders of a lock or a semaphore, and its waiters.
     *
     * @param namespace a nested namespace, or {@code null} or empty if there is none
     * @param semaphore whether the semaphore of that name is meant, and not the lock
     */
    public LockState inspect(String name, @Nullable String namespace, boolean semaphore) {
        return inspector.inspect(lock(name, namespace, semaphore));
    }

    /**
     * Returns the locks and semaphores of these requests, each once, in no particular order. All are inspected
     * together.
     */
    public List<LockState> inspectAll(Collection<LockListener.Request> requests) {
        return inspector.inspect(requests.stream()
                .flatMap(request -> request.names().stream()
                        .map(name -> new LockName(request.namespace(), name, request.permits() != null)))
                .distinct()
                .toList());
    }

    /**
     * Returns some of the locks that are held, and of the semaphores with permits in use, by any process. One call goes
     * through about a thousand keys of the store.
     *
     * @param pattern the pattern, as in {@link LockInspection#list(String, String)}
     * @param namespace a nested namespace, or {@code null} if there is none
     * @param cursor {@link LockPage#START}, or {@link LockPage#next()} of the previous page
     */
    public LockPage page(String pattern, @Nullable String namespace, String cursor) {
        return inspector.page(pattern, namespace, cursor);
    }

    /**
     * Takes a lock away from its holder, or all permits of a semaphore from all their holders, as
     * {@link LockInspection#forceRelease} does.
     *
     * @param namespace a nested namespace, or {@code null} or empty if there is none
     * @param semaphore whether the semaphore of that name is meant, and not the lock
     * @return whether the lock was held, or permits were in use
     */
    public boolean forceRelease(String name, @Nullable String namespace, boolean semaphore) {
        return inspector.forceRelease(lock(name, namespace, semaphore));
    }

    /**
     * Describes the store by what this process knows already. Sends nothing to the server, and returns at once, also
     * while the server is down.
     */
    public StoreDescription describeStore() {
        return inspector.describeStore();
    }

    /** Asks the store for its time only, and returns how the store answered. */
    public Answer askStore() {
        Instant before = Instant.now();
        long start = System.nanoTime();
        Optional<Instant> time = inspector.time();
        Duration roundTrip = Duration.ofNanos(System.nanoTime() - start);
        return new Answer(roundTrip, time.map(theirs -> Duration.between(before.plus(roundTrip.dividedBy(2)), theirs)));
    }

    /**
     * An answer of the store.
     *
     * @param roundTrip how long the answer took
     * @param clockOffset how far the store's clock is ahead of the local clock, accurate to half a round trip; empty if
     *     the store has no clock
     */
    public record Answer(Duration roundTrip, Optional<Duration> clockOffset) {}

    /**
     * A store, by what this process knows of it.
     *
     * @param location the store and its address, for people: {@code Redis at localhost:6379 (spring.data.redis.*)}
     * @param namespace the namespace of all locks; empty if the store has none
     * @param capabilities how the store keeps locks; without the server if the server has not said what it is
     */
    public record StoreDescription(String location, String namespace, LockCapabilities capabilities) {}

    private static LockName lock(String name, @Nullable String namespace, boolean semaphore) {
        return namespace == null || namespace.isEmpty()
                ? new LockName("", name, semaphore)
                : new LockName(LockNames.checkNestedNamespace(namespace), name, semaphore);
    }
}
