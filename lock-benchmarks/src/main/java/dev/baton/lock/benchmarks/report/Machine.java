package dev.baton.lock.benchmarks.report;

/** Where something was measured, as far as a reader of the figures has to know. */
public final class Machine {

    private Machine() {}

    /** For instance {@code 2 cores, JDK 17}. */
    public static String describe() {
        return Runtime.getRuntime().availableProcessors() + " cores, JDK "
                + Runtime.version().feature();
    }
}
