package dev.baton.lock.support;

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
 * Looks at locks by their whole names, {@code scope.key}, and at the store itself. For endpoints and health checks. Thread-safe; waits
 * and fails as {@link LockInspection} does.
 */
public final class LockAdministration {

    private final LockInspector inspector;

    LockAdministration(LockInspector inspector) {
        this.inspector = inspector;
    }

    /**
     * Who holds a lock, and who waits for it.
     *
     * @param namespace a nested namespace; null or empty: none
     */
    public LockState inspect(String name, @Nullable String namespace) {
        return inspector.inspect(lock(name, namespace));
    }

    /** The locks of these requests, each once, in no particular order; asked for all together. */
    public List<LockState> inspectAll(Collection<LockListener.Request> requests) {
        return inspector.inspect(requests.stream()
                .flatMap(request -> request.names().stream().map(name -> new LockName(request.namespace(), name)))
                .distinct()
                .toList());
    }

    /**
     * Some of the locks that are held, of all processes. One call goes through about a thousand keys of the store.
     *
     * @param pattern as in {@link LockInspection#list(String, String)}
     * @param namespace a nested namespace; null: none
     * @param cursor {@link LockPage#START}, or {@link LockPage#next()} of the page before
     */
    public LockPage page(String pattern, @Nullable String namespace, String cursor) {
        return inspector.page(pattern, namespace, cursor);
    }

    /**
     * Takes a lock away from its holder, as {@link LockInspection#forceRelease} does.
     *
     * @param namespace a nested namespace; null or empty: none
     * @return whether somebody held it
     */
    public boolean forceRelease(String name, @Nullable String namespace) {
        return inspector.forceRelease(lock(name, namespace));
    }

    /** The store's answer to a question about nothing. */
    public Answer askStore() {
        Instant before = Instant.now();
        long start = System.nanoTime();
        Optional<Instant> time = inspector.time();
        Duration roundTrip = Duration.ofNanos(System.nanoTime() - start);
        return new Answer(roundTrip, time.map(theirs -> Duration.between(before.plus(roundTrip.dividedBy(2)), theirs)));
    }

    /**
     * How the store answered.
     *
     * @param roundTrip how long that took
     * @param clockOffset by how much its clock is ahead of ours, known to half a round trip; empty: it has none
     */
    public record Answer(Duration roundTrip, Optional<Duration> clockOffset) {}

    private static LockName lock(String name, @Nullable String namespace) {
        return namespace == null || namespace.isEmpty()
                ? new LockName("", name)
                : new LockName(LockNames.checkNestedNamespace(namespace), name);
    }
}
