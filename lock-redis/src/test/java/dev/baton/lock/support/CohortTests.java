package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What passing a lock on within a process does and costs, seen from outside. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class CohortTests extends OnBackend {

    private static final Duration LONG_RECHECK = Duration.ofSeconds(30);
    private static final LockRequest REQUEST = LockRequest.of("x").waitTime(Duration.ofSeconds(60));

    CohortTests(Backend backend) {
        super(backend);
    }

    @Test
    void contendedAcquisitionsOfFourProcessesCostAFifthOfACommandAndTakeTurns() throws Exception {
        int each = 250;
        AtomicInteger unprotected = new AtomicInteger();
        List<Integer> turns = new ArrayList<>();
        List<LockTemplate> templates = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            LockTemplate template = startUnhurried();
            warmUp(template, p);
            templates.add(template);
        }
        // no thread begins before all of them wait: a thread that is alone may go on for longer
        LockTemplate other = startUnhurried();
        warmUp(other, 4);
        Lease gate = other.acquire(REQUEST);
        List<Future<?>> work = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            int process = p;
            for (int t = 0; t < 4; t++) {
                work.add(threads.submit(() -> {
                    long last = 0;
                    for (int i = 0; i < each; i++) {
                        long token = templates.get(process).execute(REQUEST, lease -> {
                            int seen = unprotected.get();
                            Thread.yield();
                            unprotected.set(seen + 1);
                            turns.add(process);
                            return lease.fencingToken();
                        });
                        assertThat(token).isGreaterThan(last);
                        last = token;
                    }
                    return null;
                }));
            }
        }
        for (LockTemplate template : templates) {
            awaitWaiting(template, 4);
        }
        // one for each process
        await().until(() -> redis.command("ZCARD", "lock:queue:{x.global}"), Long.valueOf(4)::equals);
        redis.resetStats();
        gate.close();
        for (Future<?> one : work) {
            one.get(120, TimeUnit.SECONDS);
        }
        int acquisitions = 16 * each;
        assertThat(unprotected).hasValue(acquisitions);
        Map<String, Long> stats = redis.commandStats();
        assertThat(stats.get("evalsha")).isLessThanOrEqualTo(acquisitions / 5);
        assertThat(longestRun(turns.subList(0, acquisitions / 2))).isLessThanOrEqualTo(2 * 33);
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
        await().until(() ->
                templates.stream().allMatch(template -> template.engine().openRequests() == 0));
    }

    @Test
    void waiterOfAnotherProcessWaitsForOneLongSection() throws Exception {
        LockTemplate busy = start();
        LockTemplate other = start();
        AtomicInteger sections = new AtomicInteger();
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            work.add(threads.submit(() -> {
                for (int i = 0; i < 6; i++) {
                    busy.execute(REQUEST, lease -> {
                        sections.incrementAndGet();
                        TimeUnit.MILLISECONDS.sleep(60);
                        return 0;
                    });
                }
                return null;
            }));
        }
        for (int i = 0; i < 3; i++) {
            Future<Integer> granted = threads.submit(() -> other.execute(REQUEST, lease -> sections.get()));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> other.engine().awaitedNames() == 1 || granted.isDone());
            int before = sections.get();
            assertThat(granted.get(10, TimeUnit.SECONDS) - before).isLessThanOrEqualTo(1);
        }
        for (Future<?> one : work) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void thoseOfOneProcessAreServedInTheOrderOfTheirArrival() throws Exception {
        LockTemplate template = start();
        Lease first = template.acquire(REQUEST);
        List<Integer> served = new ArrayList<>();
        List<Future<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int place = i;
            waiters.add(threads.submit(() -> template.execute(REQUEST, lease -> served.add(place))));
            awaitWaiting(template, place + 1);
        }
        first.close();
        for (Future<?> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
        assertThat(served).isSorted().hasSize(40);
    }

    @Test
    void holderIsTheMemberThatHoldsTheLockNow() throws Exception {
        LockTemplate template = startUnhurried();
        LockRequest request = REQUEST.expire(Duration.ofSeconds(30));
        Lease first = template.acquire(request.owner("one"));
        Future<Lease> second = threads.submit(() -> template.acquire(request.owner("two")));
        awaitWaiting(template, 1);
        Future<Lease> third = threads.submit(() -> template.acquire(request.owner("three")));
        awaitWaiting(template, 2);
        LockState waited = template.inspect(request);
        assertThat(waited.waiting()).isEqualTo(2);
        assertThat(waited.waiters()).extracting(LockWaiter::label).allMatch(label -> label.matches(".*/(two|three)"));
        first.close();
        Lease granted = second.get(5, TimeUnit.SECONDS);
        granted.close();
        Lease passed = third.get(5, TimeUnit.SECONDS);
        LockState state = template.inspect(request);
        assertThat(state.holder()).hasValueSatisfying(holder -> {
            assertThat(holder.owner()).isEqualTo(passed.owner());
            assertThat(holder.fencingToken()).isEqualTo(passed.fencingToken());
            assertThat(holder.label()).endsWith("/three");
        });
        assertThat(start().inspect(request).holder()).hasValueSatisfying(holder -> {
            assertThat(holder.owner()).as("the first of its process").isEqualTo(granted.owner());
            assertThat(holder.fencingToken()).isEqualTo(granted.fencingToken());
        });
        assertThat(template.tryAcquire(request.waitTime(Duration.ZERO))).isEmpty();
        passed.close();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void waitersBehindAnotherProcessAreSeenByTheirOwn() throws Exception {
        LockTemplate holder = start();
        LockTemplate template = start();
        Lease lease = holder.acquire(REQUEST.expire(Duration.ofSeconds(30)));
        List<Future<?>> waiters = new ArrayList<>();
        for (String owner : List.of("one", "two", "three")) {
            waiters.add(threads.submit(() -> template.execute(REQUEST.owner(owner), granted -> owner)));
            awaitWaiting(template, waiters.size());
        }
        await().until(() -> template.engine().awaitedNames() == 1);
        LockState own = template.inspect(REQUEST);
        assertThat(own.waiting()).isEqualTo(3);
        assertThat(own.waiters())
                .extracting(waiter -> waiter.label().replaceAll(".*/", ""))
                .containsExactly("one", "two", "three");
        assertThat(own.holder())
                .hasValueSatisfying(held -> assertThat(held.owner()).isEqualTo(lease.owner()));
        assertThat(holder.inspect(REQUEST).waiting()).as("one for its process").isEqualTo(1);
        lease.close();
        for (Future<?> waiter : waiters) {
            waiter.get(10, TimeUnit.SECONDS);
        }
    }

    /** Redis knows the scripts after it: one that is sent again changes the order of commands, and an end in doubt leaves a mark. */
    private void warmUp(LockTemplate template, int process) throws Exception {
        LockRequest own = LockRequest.of("warm-up", process);
        Lease first = template.acquire(own);
        Future<Lease> next = threads.submit(() -> template.acquire(own));
        awaitWaiting(template, 1);
        first.close();
        next.get(10, TimeUnit.SECONDS).close();
    }

    private LockTemplate start() {
        return processes.start(builder -> builder.cohortLimit(32).recheck(LONG_RECHECK));
    }

    /** One whose blocks no slow machine ends before their limit. */
    private LockTemplate startUnhurried() {
        return processes.start(builder ->
                builder.cohortLimit(32).cohortMaxTime(Duration.ofSeconds(9)).recheck(LONG_RECHECK));
    }

    private static void awaitWaiting(LockTemplate template, int count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> template.engine().placed() == count);
    }

    /** How many in a row were of one process at the most. */
    private static int longestRun(List<Integer> turns) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < turns.size(); i++) {
            run = i > 0 && turns.get(i).equals(turns.get(i - 1)) ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
