package dev.baton.lock.faults;

import java.util.List;

/**
 * A time in which a process could not ask, or not be told.
 *
 * @param process empty: all
 * @param from nanoTime
 * @param to nanoTime by which it is connected again
 */
record Fault(String process, long from, long to) {

    /** Whether one of them hit a process in a time. */
    static boolean hit(List<Fault> faults, String process, long from, long to) {
        return faults.stream()
                .filter(fault -> fault.process.isEmpty() || fault.process.equals(process))
                .anyMatch(fault -> fault.from <= to && from <= fault.to);
    }

    /** Those that hit a process. */
    static List<Fault> of(List<Fault> faults, String process) {
        return faults.stream()
                .filter(fault -> fault.process.isEmpty() || fault.process.equals(process))
                .toList();
    }

    /** The end of those in which a moment of a process lies; that moment itself if there is none. */
    static long endAfter(List<Fault> faults, String process, long moment) {
        return of(faults, process).stream()
                .filter(fault -> fault.from <= moment)
                .mapToLong(Fault::to)
                .reduce(moment, Math::max);
    }

    /** When those that hit a process in a time began, the earliest first. */
    static long[] begun(List<Fault> faults, String process, long from, long to) {
        return of(faults, process).stream()
                .mapToLong(Fault::from)
                .filter(begun -> begun > from && begun < to)
                .sorted()
                .toArray();
    }
}
