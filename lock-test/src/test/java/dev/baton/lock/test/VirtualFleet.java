package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import dev.baton.lock.time.EngineTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes in memory, in virtual time. The time moves from one task of an engine to the next, and only while every thread of
 * the scenario waits: how busy the machine is changes nothing.
 */
final class VirtualFleet implements Fleet {

    /** The longest virtual time in which something that was begun has to end. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The longest time of the machine for threads that have something to do. */
    private static final long MACHINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final TestClock clock = TestClock.standing();
    private final InMemoryLockStore memory = new InMemoryLockStore(clock);
    private final FreedLocks freed = new FreedLocks(name -> !isHeld(name), clock);
    private final EngineTimer answers = clock.newTimer("baton-test-answers");
    private final List<LockTemplate> processes = new ArrayList<>();
    private final List<InMemoryLockStore> stores = new ArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final VirtualMode mode;
    private final BiFunction<LockStore, EngineTimer, LockStore> around;

    VirtualFleet(VirtualMode mode) {
        this(mode, (store, timer) -> store);
    }

    /**
     * Creates a fleet.
     *
     * @param around puts something around the store of a process, which may use the timer
     */
    VirtualFleet(VirtualMode mode, BiFunction<LockStore, EngineTimer, LockStore> around) {
        this.mode = mode;
        this.around = around;
        memory.start("operator", new SilentInbox());
    }

    @Override
    public LockTemplate start(Consumer<LockTemplateBuilder> settings) {
        InMemoryLockStore process = memory.newProcess();
        LockStore store =
                mode.strategy() == WaitStrategy.GRANT ? process : new UnqueuedStore(process, freed, mode.strategy());
        LockTemplateBuilder builder = mode.configure(
                LockTemplate.builder(around.apply(store, answers)).time(clock).shutdownAwait(Duration.ZERO));
        settings.accept(builder);
        LockTemplate template = builder.build();
        processes.add(template);
        stores.add(process);
        clock.settle();
        return template;
    }

    @Override
    public <T> CompletableFuture<T> begin(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(task.call());
                    } catch (Throwable ex) {
                        result.completeExceptionally(ex);
                    }
                },
                "scenario");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return result;
    }

    @Override
    public <T> T get(Future<T> future) throws Exception {
        until(PATIENCE, future::isDone);
        try {
            return future.get();
        } catch (ExecutionException ex) {
            if (ex.getCause() instanceof Error error) {
                throw error;
            }
            throw ex.getCause() instanceof Exception cause ? cause : ex;
        }
    }

    @Override
    public void until(Duration atMost, BooleanSupplier condition) {
        long end = nanoTime() + atMost.toNanos();
        awaitQuiet();
        while (!condition.getAsBoolean()) {
            long left = end - nanoTime();
            if (left <= 0) {
                assertThat(holdsSoon(condition)).as("holds within %s", atMost).isTrue();
                return;
            }
            moveOn(left);
        }
    }

    @Override
    public void pass(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        awaitQuiet();
        while (end - nanoTime() > 0) {
            moveOn(end - nanoTime());
        }
    }

    /** Moves the time to the next task that is due, at most so far, and returns when all threads wait again. */
    private void moveOn(long nanos) {
        OptionalLong next = clock.nextDue();
        long step = next.isPresent() ? Math.min(nanos, Math.max(0, next.getAsLong() - nanoTime())) : nanos;
        clock.advance(Duration.ofNanos(step));
        awaitQuiet();
    }

    /** A thread that is none of ours may still be at work when the time is over. */
    private boolean holdsSoon(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - start < MACHINE_NANOS / 10) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return condition.getAsBoolean();
    }

    /** Returns when every thread waits for the clock or for another thread, twice in a row. */
    private void awaitQuiet() {
        long start = System.nanoTime();
        int quiet = 0;
        while (quiet < 2) {
            clock.settle();
            quiet = isQuiet() ? quiet + 1 : 0;
            if (System.nanoTime() - start > MACHINE_NANOS) {
                fail("a thread of the scenario does not end: %s", threads);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean isQuiet() {
        threads.removeIf(thread -> !thread.isAlive());
        // in this order: a callback that is in no queue any more has a thread that runs
        return threads.stream().allMatch(this::isQuiet)
                && processes.stream().allMatch(process -> EngineCounters.waitingCallbacks(process) == 0)
                && callbackThreads().allMatch(this::isQuiet);
    }

    private boolean isQuiet(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, BLOCKED -> false;
            case WAITING, TIMED_WAITING -> !isWoken(thread) && !isAtALock(thread);
            case TERMINATED -> true;
        };
    }

    /** A thread that was woken does not run at once. */
    private boolean isWoken(Thread waiting) {
        CompletableFuture<?> awaited = clock.awaitedBy(waiting);
        return waiting.isInterrupted()
                || awaited != null && awaited.isDone()
                // any future that the thread waits for, or condition
                || LockSupport.getBlocker(waiting) instanceof ForkJoinPool.ManagedBlocker blocker
                        && blocker.isReleasable();
    }

    /** A lock is held only briefly, so a thread that waits for one is at work. Its owner may not be one of ours. */
    private static boolean isAtALock(Thread waiting) {
        Object blocker = LockSupport.getBlocker(waiting);
        return blocker != null && blocker.getClass().getEnclosingClass() == ReentrantLock.class;
    }

    private static Stream<Thread> callbackThreads() {
        Thread[] all = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(all);
        return Arrays.stream(all, 0, count).filter(thread -> thread.getName().startsWith("baton-callback"));
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public Duration moment() {
        return Duration.ofMillis(1);
    }

    @Override
    public void delete(String name) {
        memory.expire(new LockName("", name));
        freed.checkAfter(List.of(new LockName("", name)), 0);
    }

    @Override
    public boolean isHeld(String name) {
        return isHeld(new LockName("", name));
    }

    private boolean isHeld(LockName name) {
        return memory.inspect(name, 0, 0).join().holder().isPresent();
    }

    @Override
    public boolean isHeldOnly(String... names) {
        Set<LockName> wanted =
                Stream.of(names).map(name -> new LockName("", name)).collect(Collectors.toSet());
        return memory.names().equals(wanted)
                && sum(EngineCounters::waiters) == 0
                && wanted.stream()
                        .map(name -> memory.inspect(name, 0, 0).join())
                        .allMatch(state -> state.isLocked() && state.waiting() == 0);
    }

    @Override
    public void awaitWaiting(String name, int requests) {
        awaitWaiting(requests);
    }

    @Override
    public void awaitWaiting(LockRequest request, int requests) {
        awaitWaiting(requests);
    }

    private void awaitWaiting(int requests) {
        until(Duration.ofMillis(1), () -> sum(EngineCounters::placed) == requests);
    }

    @Override
    public void awaitAwaiting(int requests) {
        until(Duration.ofMillis(1), () -> sum(EngineCounters::awaiting) == requests);
    }

    /** Loses all data of the store. No process is notified. */
    void flush() {
        memory.clear();
    }

    /** Cuts a process off from its store for good: for the others, it is dead. */
    void kill(LockTemplate process) {
        stores.get(processes.indexOf(process)).stop();
    }

    /** Lets a process lose its subscription, or have it again. */
    void listen(LockTemplate process, boolean listening) {
        stores.get(processes.indexOf(process)).setListening(listening);
    }

    @Override
    public void assertNothingLeft() {
        until(Duration.ofMinutes(2), () -> sum(EngineCounters::openRequests) == 0);
        assertThat(sum(EngineCounters::waiters)).as("waiters").isZero();
        assertThat(sum(EngineCounters::awaitedNames)).as("awaited names").isZero();
        assertThat(memory.isEmpty()).as("no lock is held or awaited").isTrue();
    }

    private int sum(ToIntFunction<LockTemplate> count) {
        return processes.stream()
                .filter(LockTemplate::isRunning)
                .mapToInt(count)
                .sum();
    }

    @Override
    public WaitStrategy strategy() {
        return mode.waits();
    }

    @Override
    public boolean isSubscribed() {
        return mode.strategy() != WaitStrategy.POLLING;
    }

    /** The operator is told nothing. */
    private static final class SilentInbox implements GrantInbox {

        @Override
        public void granted(List<LockName> names, String id, long token) {
            throw new AssertionError("the operator asks for no lock");
        }

        @Override
        public void revoked(List<LockName> names, String id, long token) {
            throw new AssertionError("the operator holds no lock");
        }

        @Override
        public void listening() {
            // it is told nothing
        }
    }

    @Override
    public void close() {
        processes.forEach(LockTemplate::close);
        memory.stop();
        freed.stop();
        answers.stop();
    }
}
