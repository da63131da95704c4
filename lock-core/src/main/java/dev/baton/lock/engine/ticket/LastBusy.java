package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireReply.Busy;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The last acquire of a claim that was answered busy, by when it was sent. Thread-safe. */
final class LastBusy {

    private record BusyAt(long sentAt, Busy answer) {}

    private static final AtomicReferenceFieldUpdater<LastBusy, @Nullable BusyAt> BUSY =
            AtomicReferenceFieldUpdater.newUpdater(LastBusy.class, BusyAt.class, "busy");

    private volatile @Nullable BusyAt busy;

    void saw(long sentAt, Busy answer) {
        BUSY.accumulateAndGet(
                this, new BusyAt(sentAt, answer), (old, now) -> old != null && old.sentAt - now.sentAt > 0 ? old : now);
    }

    boolean isNone() {
        return busy == null;
    }

    @Nullable
    LockHolder holder() {
        BusyAt last = busy;
        return last == null ? null : last.answer.holder();
    }

    /** Whether an answer has told of a grant that came after the one with this token. */
    boolean isOvertaken(long token) {
        BusyAt last = busy;
        return last != null && token <= last.answer.mark();
    }

    /**
     * From when a lease counts that was granted by a message: the grant came after this. Empty: an answer has told of a later
     * grant already.
     *
     * @param firstSentAt when the first acquire was sent
     */
    OptionalLong evidence(long token, long firstSentAt) {
        BusyAt last = busy;
        if (last == null) {
            return OptionalLong.of(firstSentAt);
        }
        return token <= last.answer.mark() ? OptionalLong.empty() : OptionalLong.of(last.sentAt);
    }
}
