package dev.baton.lock.test;

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
 */
record VirtualMode(WaitStrategy strategy, int cohortLimit, ReleaseMode release) {

    private static final int PASSES = 32;

    /** Returns every legal mode: cohorts need a queue. */
    static List<VirtualMode> all() {
        return Stream.concat(
                        queueing().stream(),
                        Stream.of(WaitStrategy.KEYSPACE, WaitStrategy.POLLING)
                                .flatMap(strategy -> Stream.of(ReleaseMode.values())
                                        .map(release -> new VirtualMode(strategy, 0, release))))
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
        return builder.cohortLimit(cohortLimit).release(release);
    }

    @Override
    public String toString() {
        return (strategy + (cohortLimit > 0 ? "/cohort/" : "/") + release).toLowerCase(Locale.ROOT);
    }
}
