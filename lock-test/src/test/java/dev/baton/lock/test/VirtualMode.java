package dev.baton.lock.test;

import dev.baton.lock.LockRequest;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockTemplateBuilder;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A mode of the engine.
 *
 * @param strategy how waiters learn that it may be their turn
 * @param cohortLimit how many times a process passes a lock on to itself; 0 for never
 * @param release whether a release waits for its answer
 * @param polls whether the requests of single scopes poll, whatever the strategy
 */
record VirtualMode(WaitStrategy strategy, int cohortLimit, ReleaseMode release, boolean polls) {

    private static final int PASSES = 32;

    /** The scopes of the scenarios. */
    private static final List<String> SCOPES =
            List.of("a", "address", "b", "k", "many", "other", "report", "server_access", "t", "x", "y");

    VirtualMode(WaitStrategy strategy, int cohortLimit, ReleaseMode release) {
        this(strategy, cohortLimit, release, false);
    }

    /** Returns every legal mode: cohorts need a queue. */
    static List<VirtualMode> all() {
        Stream<VirtualMode> unqueued = Stream.of(WaitStrategy.KEYSPACE, WaitStrategy.POLLING)
                .flatMap(strategy ->
                        Stream.of(ReleaseMode.values()).map(release -> new VirtualMode(strategy, 0, release)));
        Stream<VirtualMode> polling = Stream.of(WaitStrategy.GRANT, WaitStrategy.KEYSPACE)
                .map(strategy -> new VirtualMode(
                        strategy, strategy == WaitStrategy.GRANT ? PASSES : 0, ReleaseMode.CONFIRMED, true));
        return Stream.of(queueing().stream(), unqueued, polling)
                .flatMap(modes -> modes)
                .toList();
    }

    /** Returns the modes in which waiters are served in turn. */
    static List<VirtualMode> queueing() {
        return Stream.of(0, PASSES)
                .flatMap(limit -> Stream.of(ReleaseMode.values())
                        .map(release -> new VirtualMode(WaitStrategy.GRANT, limit, release)))
                .toList();
    }

    LockTemplateBuilder configure(LockTemplateBuilder builder) {
        if (polls) {
            SCOPES.forEach(scope -> builder.scope(
                    LockRequest.of(scope).waitStrategy(WaitStrategy.POLLING).pollingInterval(UnqueuedStore.INTERVAL)));
        }
        return builder.cohortLimit(cohortLimit).release(release);
    }

    /** Returns how a request for one lock waits. */
    WaitStrategy waits() {
        return polls ? WaitStrategy.POLLING : strategy;
    }

    @Override
    public String toString() {
        return (strategy + (cohortLimit > 0 ? "/cohort/" : "/") + release + (polls ? "/polls" : ""))
                .toLowerCase(Locale.ROOT);
    }
}
