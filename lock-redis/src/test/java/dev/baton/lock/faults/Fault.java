package dev.baton.lock.faults;

import java.util.List;

/**
 * A period in which a process could not reach Redis, or receive messages.
 *
 * @param process the process, or empty for all processes
 * @param from nanoTime at which the fault begins
 * @param to nanoTime at which the process is connected again
 */
record Fault(String process, long from, long to) {

    /** Returns whether a fault hit a process in a period. */
    static boolean hit(List<Fault> faults, String process, long from, long to) {
        return faults.stream()
                .filter(fault -> fault.process.isEmpty() || fault.process.equals(process))
                .anyMatch(fault -> fault.from <= to && from <= fault.to);
    }

    /** Returns the faults that hit a process. */
    static List<Fault> of(List<Fault> faults, String process) {
        return faults.stream()
                .filter(fault -> fault.process.isEmpty() || fault.process.equals(process))
                .toList();
    }

    /**
     * Returns the latest end of the faults that a process was in at a moment, or the moment itself if there was no
     * fault.
     */
    static long endAfter(List<Fault> faults, String process, long moment) {
        return of(faults, process).stream()
                .filter(fault -> fault.from <= moment)
                .mapToLong(Fault::to)
                .reduce(moment, Math::max);
    }

    /** Returns when the faults that hit a process in a period began, the earliest first. */
    static long[] begun(List<Fault> faults, String process, long from, long to) {
        return of(faults, process).stream()
                .mapToLong(Fault::from)
                .filter(begun -> begun > from && begun < to)
                .sorted()
                .toArray();
    }
}
