package dev.baton.sample.simulate;

import java.time.Duration;

/** Told several times a second how far a run is, in the thread that waits for it. */
interface Progress {

    /**
     * It is running.
     *
     * @param elapsed since all processes were ready; more than the total while the last are still waiting for their turn
     * @param total how long it is to take
     * @param acquisitions so far
     */
    void running(Duration elapsed, Duration total, long acquisitions);

    /** All processes are done; not called if one died. */
    default void done(long acquisitions) {}
}
