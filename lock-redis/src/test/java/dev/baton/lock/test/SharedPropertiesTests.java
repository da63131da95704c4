package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.RedisStoreHost;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.support.Backend;
import dev.baton.lock.test.SharedRun.Asked;
import dev.baton.lock.test.SharedRun.Check;
import dev.baton.lock.test.SharedRun.Step;
import dev.baton.lock.test.SharedRun.View;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with random commands of readers and writers that each command leaves behind it what shared locks promise, on Redis and in
 * memory.
 */
@Tag("once")
@ParameterizedClass(name = "{0}")
@MethodSource("hosts")
class SharedPropertiesTests {

    private static final int STEPS = 60;

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());
    private final Host kind;
    private final SharedRun run;

    SharedPropertiesTests(Host kind) {
        this.kind = kind;
        this.run = new SharedRun(kind == Host.MEMORY ? new MemoryStoreHost() : new RedisStoreHost(Backend.LETTUCE));
    }

    enum Host {
        MEMORY(500),
        REDIS(40);

        private final int runs;

        Host(int runs) {
            this.runs = runs;
        }
    }

    static List<Host> hosts() {
        return List.of(Host.values());
    }

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void noWriterOverlapsAnyHolder() {
        check(() -> step -> {
            Map<String, Asked> holders = step.after().holders();
            boolean written = Stream.concat(holders.values().stream(), step.believed().values().stream())
                    .anyMatch(Asked::writes);
            Set<String> together = new HashSet<>(holders.keySet());
            together.addAll(step.believed().keySet());
            return written && together.size() > 1 || step.after().shared() == written && !together.isEmpty()
                    ? "these hold the lock together: " + together
                    : missing(step);
        });
    }

    /** A holder whose lease lasts is a holder for the store. */
    private static @Nullable String missing(Step step) {
        Set<String> gone = new HashSet<>(step.believed().keySet());
        gone.removeAll(step.after().holders().keySet());
        return gone.isEmpty() ? null : "these are no holders any more: " + gone;
    }

    @Test
    void lockIsNeverIdleWhileItsFirstReachableWaiterFits() {
        check(() -> step -> step.handsOver() ? idle(step.after()) : null);
    }

    private static @Nullable String idle(View view) {
        for (Asked one : view.queue()) {
            boolean fits = view.isFree() || view.shared() && !one.writes();
            if (!one.isDeaf()) {
                return fits ? "this waiter could have the lock: " + one.id() : null;
            } else if (view.shared() && one.writes()) {
                return null;
            }
        }
        return null;
    }

    @Test
    void readersOfARunHaveOneTokenAndLaterHoldersGreaterOnes() {
        check(Tokens::new);
    }

    private static final class Tokens implements Check {

        /** The greatest number of any grant so far. */
        private long top;

        @Override
        public @Nullable String violation(Step step) {
            View before = step.before();
            View after = step.after();
            long known = top;
            boolean goesOn = before.holders().keySet().stream().anyMatch(after.holders()::containsKey);
            top = Math.max(top, after.token());
            for (Granted grant : step.granted().values()) {
                top = Math.max(top, Math.max(grant.token(), grant.number()));
            }
            if (goesOn && after.token() != before.token()) {
                return "the token of the same holders changed to " + after.token() + " from " + before.token();
            } else if (!goesOn && !after.isFree() && after.token() <= known) {
                return "the token " + after.token() + " of new holders is not greater than " + known;
            }
            return step.granted().entrySet().stream()
                    .filter(one -> after.holders().containsKey(one.getKey())
                            && !one.getValue().again())
                    .filter(one -> one.getValue().token() != after.token()
                            || one.getValue().number() <= known
                            || one.getValue().number() < one.getValue().token())
                    .map(one -> one.getKey() + " was told " + one.getValue() + ", after " + known + ", of the token "
                            + after.token())
                    .findFirst()
                    .orElse(null);
        }
    }

    @Test
    void noNewcomerPassesAWriterThatWaits() {
        check(() -> step -> {
            View after = step.after();
            boolean sameRun = step.before().shared()
                    && step.before().holders().keySet().stream().anyMatch(after.holders()::containsKey);
            List<Asked> queue = step.before().queue();
            for (Asked waiter : queue) {
                List<String> passed = after.holders().values().stream()
                        .filter(one -> !step.before().holders().containsKey(one.id()))
                        .filter(one -> !queue.contains(one) || queue.indexOf(one) > queue.indexOf(waiter))
                        .filter(one -> !isReaderOf(one, step))
                        .map(Asked::id)
                        .toList();
                // a deaf writer lets one reader pass, if the lock is free
                int allowed = !waiter.isDeaf() || sameRun && waiter.writes() ? 0 : waiter.writes() ? 1 : passed.size();
                if (after.waits(waiter) && passed.size() > allowed) {
                    return waiter.id() + " was passed by " + passed;
                }
            }
            return null;
        });
    }

    /** A writer that becomes a reader passes no waiter: it held the lock before. */
    private static boolean isReaderOf(Asked one, Step step) {
        return step.what().startsWith("downgrade ") && step.what().endsWith(" to " + one.id());
    }

    private interface Checks {

        Check fresh();
    }

    private void check(Checks checks) {
        for (int i = 0; i < kind.runs; i++) {
            assertThat(run.run(seed + i, STEPS, checks.fresh()))
                    .as("steps of -Dtest.faults.seed=%d", seed + i)
                    .isEmpty();
        }
    }
}
