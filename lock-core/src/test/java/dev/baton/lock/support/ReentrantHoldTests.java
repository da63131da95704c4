package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.ReentrantHold.Entry;
import dev.baton.lock.support.ReentrantHold.Left;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReentrantHoldTests {

    private static final LockName A = new LockName("", "k.a");
    private static final LockName B = new LockName("", "k.b");

    @Test
    void lockIsReleasedWithItsLastEntry() {
        ReentrantHold hold = hold(List.of(A), Set.of());

        assertThat(hold.enter(false)).isEqualTo(Entry.WRITER);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.NOTHING);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.LAST);
        assertThat(hold.enter(false)).isEqualTo(Entry.NONE);
    }

    @Test
    void lockIsDowngradedWithItsLastWriter() {
        ReentrantHold hold = hold(List.of(A), Set.of());

        assertThat(hold.enter(true)).isEqualTo(Entry.READER);
        assertThat(hold.enter(false)).isEqualTo(Entry.WRITER);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.NOTHING);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.DOWNGRADE);
        assertThat(hold.leave(Entry.READER)).isEqualTo(Left.LAST);
    }

    /** Another thread of the owner is about to make the lock shared: an exclusive entry would not keep it exclusive. */
    @Test
    void nothingIsEnteredExclusivelyOnceTheLastWriterHasLeft() {
        ReentrantHold hold = hold(List.of(A), Set.of());
        hold.enter(true);
        hold.leave(Entry.WRITER);

        assertThat(hold.enter(false)).isEqualTo(Entry.READER);
    }

    @Test
    void readersEnterAndLeaveWithoutADowngrade() {
        ReentrantHold hold = hold(List.of(A), Set.of(A));

        assertThat(hold.enter(true)).isEqualTo(Entry.READER);
        assertThat(hold.leave(Entry.READER)).isEqualTo(Left.NOTHING);
        assertThat(hold.leave(Entry.READER)).isEqualTo(Left.LAST);
    }

    @Test
    void severalLocksAreNeverDowngraded() {
        ReentrantHold hold = hold(List.of(A, B), Set.of(B));

        assertThat(hold.enter(true)).isEqualTo(Entry.WRITER);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.NOTHING);
        assertThat(hold.leave(Entry.WRITER)).isEqualTo(Left.LAST);
    }

    private static ReentrantHold hold(List<LockName> names, Set<LockName> shared) {
        return new ReentrantHold(
                new ReentrantHold.Key("i:t7", names),
                TestEngine.acquisition(
                        TestEngine.spec(
                                        names,
                                        Duration.ofSeconds(1),
                                        false,
                                        Duration.ofSeconds(1),
                                        false,
                                        RequestEvents.SILENT)
                                .sharing(shared),
                        0));
    }
}
