package dev.baton.lock.board;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Records the grants, time-outs, losses, hand-overs and waits of this process in time slices of the last five minutes.
 * Its size never changes. Thread-safe; if two threads write while a slice is being replaced, a count may be lost.
 */
public final class BoardHistory implements LockListener {

    /** The length of a slice. */
    static final Duration SLICE = Duration.ofSeconds(5);

    private static final int SLICES = 60;

    private final TimeSource time;
    private final AtomicReferenceArray<@Nullable BoardSlice> slices = new AtomicReferenceArray<>(SLICES);

    /**
     * Creates an empty history.
     *
     * @param time the time source of the template whose events the history records
     */
    public BoardHistory(TimeSource time) {
        this.time = time;
    }

    @Override
    public void granted(Granted event) {
        BoardSlice slice = now();
        slice.add(BoardSlice.Count.GRANTED);
        slice.waited(event.waited());
    }

    @Override
    public void timedOut(TimedOut event) {
        BoardSlice slice = now();
        slice.add(BoardSlice.Count.TIMED_OUT);
        slice.waited(event.waited());
    }

    @Override
    public void released(Released event) {
        if (event.handedOver().isEmpty()) {
            return;
        }
        BoardSlice slice = now();
        event.handedOver()
                .forEach(to -> slice.add(to == HandOver.LOCAL ? BoardSlice.Count.LOCAL : BoardSlice.Count.REMOTE));
    }

    @Override
    public void lost(LockLostEvent event) {
        now().add(BoardSlice.Count.LOST);
    }

    /** Returns the completed slices, oldest first: always the same number, including empty slices. */
    List<BoardSlice> past() {
        long now = number();
        List<BoardSlice> past = new ArrayList<>(SLICES - 1);
        for (long number = now - SLICES + 1; number < now; number++) {
            BoardSlice slice = slices.get(place(number));
            past.add(slice != null && slice.number() == number ? slice : new BoardSlice(number));
        }
        return past;
    }

    private BoardSlice now() {
        long number = number();
        BoardSlice slice = slices.get(place(number));
        if (slice != null && slice.number() == number) {
            return slice;
        }
        BoardSlice fresh = new BoardSlice(number);
        if (slices.compareAndSet(place(number), slice, fresh)) {
            return fresh;
        }
        BoardSlice others = slices.get(place(number));
        return others == null ? fresh : others;
    }

    private long number() {
        return Math.floorDiv(time.nanoTime(), TimeUnit.SECONDS.toNanos(SLICE.toSeconds()));
    }

    private static int place(long number) {
        return (int) Math.floorMod(number, (long) SLICES);
    }
}
