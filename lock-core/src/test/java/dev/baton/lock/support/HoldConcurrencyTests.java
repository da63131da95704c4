package dev.baton.lock.support;

import static dev.baton.lock.support.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.OnLost;
import dev.baton.lock.engine.event.GrantDetails;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.Interleavings.Meeting;
import dev.baton.lock.support.ReentrantHold.Entry;
import dev.baton.lock.support.ReentrantHold.Left;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores interleavings of the threads of an owner that awaits a condition. */
@Tag("interleavings")
class HoldConcurrencyTests {

    private static final List<LockName> NAMES = List.of(new LockName("", "k.a"));
    private static final GrantDetails DETAILS = GrantDetails.again(OnLost.THROW);

    /** The lock comes back from a wait at a condition just when another thread closes the last entry. */
    @Test
    void lockThatComesBackIsReleasedByOneOfTwoThreads() {
        explore(() -> {
            HoldRegistry holds = new HoldRegistry();
            ReentrantHold hold = new ReentrantHold(new ReentrantHold.Key("i:t7", NAMES), acquisition());
            Acquisition next = acquisition();
            AtomicBoolean open = new AtomicBoolean();
            AtomicReference<Left> left = new AtomicReference<>();
            return new Meeting(
                    hold::goesAway,
                    () -> open.set(hold.comesBack(next, DETAILS, holds)),
                    () -> left.set(hold.leave(Entry.WRITER)),
                    () -> assertThat(!open.get() || left.get() == Left.LAST)
                            .as("open %s, left %s", open, left)
                            .isTrue());
        });
    }

    private static Acquisition acquisition() {
        return TestEngine.acquisition(TestEngine.waits(Duration.ofSeconds(1)), 0);
    }
}
