package dev.baton.sample.simulate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One simulation that was asked for over HTTP. Written by the thread that runs it, read by any. */
final class SimulationJob implements Progress {

    private final int id;
    private volatile Status status;
    private volatile @Nullable SimulationResult result;
    private volatile @Nullable Status outcome;

    SimulationJob(int id) {
        this.id = id;
        this.status = new Status(id, State.STARTING, 0, 0, null);
    }

    @Override
    public void running(Duration elapsed, Duration total, long acquisitions) {
        int percent = (int) Math.min(99, 100 * elapsed.toNanos() / total.toNanos());
        status = new Status(id, State.RUNNING, percent, acquisitions, null);
    }

    void ended(SimulationResult result) {
        this.result = result; // set before the status, so that a caller that sees DONE finds the result
        outcome = new Status(id, State.DONE, 100, result.findings().turns(), null);
    }

    void failed(String why) {
        Status last = status;
        outcome = new Status(id, State.FAILED, last.percent(), last.acquisitions(), why);
    }

    /** Shows how it ended. Called after its lock was released, because a caller that sees the end may start the next one. */
    void over() {
        Status outcome = this.outcome;
        if (outcome != null) {
            status = outcome;
        }
    }

    Status status() {
        return status;
    }

    /** Null until it is done. */
    @Nullable
    SimulationResult result() {
        return result;
    }

    enum State {
        /** None has been started since this instance is up. */
        NONE,
        /** The processes are being started. */
        STARTING,
        /** They contend. */
        RUNNING,
        /** There is a result. */
        DONE,
        /** There will be none. */
        FAILED
    }

    /**
     * How far it is.
     *
     * @param id counts from 1; 0: none has been started
     * @param percent 100 only when it is done
     * @param acquisitions so far
     * @param error why it failed; null: it did not
     */
    record Status(
            int id,
            State state,
            int percent,
            long acquisitions,
            @Nullable String error) {}
}
