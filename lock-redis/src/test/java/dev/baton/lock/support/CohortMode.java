package dev.baton.lock.support;

/**
 * Whether the processes of a test pass locks on within themselves: strict order over processes, unless a test says otherwise
 * or {@link CohortModeTests} runs its suite once more.
 */
public final class CohortMode {

    private static volatile int limit;

    private CohortMode() {}

    /** What a process has unless its test says otherwise. */
    public static LockTemplateBuilder configure(LockTemplateBuilder builder) {
        return PipelinedMode.configure(builder.cohortLimit(limit));
    }

    /** Whether requests of one process stand in Redis together. */
    static boolean isOn() {
        return limit > 0;
    }

    /** How many times a lock is passed on; 0: never. */
    public static int limit() {
        return limit;
    }

    /** From now on a lock is passed on so many times; 0: never. */
    public static void set(int passes) {
        limit = passes;
    }
}
