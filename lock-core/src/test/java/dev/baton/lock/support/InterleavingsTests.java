package dev.baton.lock.support;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.support.Interleavings.Meeting;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that scenarios can fail, because each scenario would pass if Lincheck could not read classes, for example on a
 * new JDK.
 */
@Tag("interleavings")
class InterleavingsTests {

    private static final class Counter {

        private final ReentrantLock lock = new ReentrantLock();
        private int value;

        void add() {
            value++;
        }

        void addLocked() {
            lock.lock();
            try {
                value++;
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void lostUpdateIsFound() {
        assertThatThrownBy(() -> explore(() -> {
                    Counter counter = new Counter();
                    return new Meeting(
                            counter::add,
                            counter::add,
                            () -> assertThat(counter.value).isEqualTo(2));
                }))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("expected: 2");
    }

    @Test
    void updateUnderALockIsNotLost() {
        explore(() -> {
            Counter counter = new Counter();
            return new Meeting(
                    counter::addLocked,
                    counter::addLocked,
                    () -> assertThat(counter.value).isEqualTo(2));
        });
    }

    @Test
    void failureOfOneThreadIsFound() {
        assertThatThrownBy(() -> explore(() -> {
                    Counter counter = new Counter();
                    return new Meeting(
                            counter::add,
                            () -> {
                                if (counter.value == 1) {
                                    throw new IllegalStateException("met the other thread");
                                }
                            },
                            () -> {});
                }))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("met the other thread");
    }
}
