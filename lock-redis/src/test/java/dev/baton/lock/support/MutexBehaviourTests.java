package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.MutexScenarios;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The mutex on a real Redis, also with interrupts at any time. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class MutexBehaviourTests extends MutexScenarios {

    private final Backend backend;

    MutexBehaviourTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }

    /** Threads of two processes take it in every way and are interrupted at any time. */
    @Test
    void interruptsAtAnyTimeBreakNothingAndLeaveNothing() throws Exception {
        long seed = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger interrupted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(seed + i);
            DistributedMutex own = i % 2 == 0 ? mutex : elsewhere;
            threads.add(new Thread(() -> {
                while (!over.get() && wrong.isEmpty()) {
                    try {
                        if (take(own, random)) {
                            taken.incrementAndGet();
                            if (inside.getAndIncrement() != 0) {
                                throw new IllegalStateException("two at a time");
                            }
                            inside.getAndDecrement();
                            own.unlock();
                        }
                    } catch (InterruptedException ex) {
                        interrupted.incrementAndGet();
                    } catch (RuntimeException ex) {
                        wrong.add(ex);
                    }
                    // of a second interrupt: each round begins without
                    Thread.interrupted();
                }
            }));
        }
        threads.forEach(Thread::start);
        Random random = new Random(seed);
        long begun = System.nanoTime();
        long end = begun + Duration.ofSeconds(3).toNanos();
        // a slow machine goes on for longer, not for ever
        long last = begun + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() - end < 0
                || System.nanoTime() - last < 0 && (taken.get() <= 50 || interrupted.get() == 0)) {
            threads.get(random.nextInt(threads.size())).interrupt();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(1_500));
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        assertThat(threads).as("seed %d", seed).noneMatch(Thread::isAlive);
        assertThat(wrong).as("seed %d", seed).isEmpty();
        assertThat(taken.get()).as("seed %d", seed).isGreaterThan(50);
        assertThat(interrupted.get()).as("seed %d", seed).isPositive();
        fleet.assertNothingLeft();
    }

    private static boolean take(DistributedMutex mutex, Random random) throws InterruptedException {
        switch (random.nextInt(4)) {
            case 0 -> mutex.lock();
            case 1 -> mutex.lockInterruptibly();
            case 2 -> {
                return mutex.tryLock();
            }
            default -> {
                return mutex.tryLock(20 + random.nextInt(20), TimeUnit.MILLISECONDS);
            }
        }
        return true;
    }
}
