package dev.baton.lock.benchmarks.comparison.process;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What this process has used. */
public final class ProcessMeter {

    private static final int COLLECTIONS = 3;

    private ProcessMeter() {}

    /** The CPU time of all its threads so far, in nanoseconds. */
    public static long cpuNanos() {
        try {
            ObjectName system = new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
            return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(system, "ProcessCpuTime");
        } catch (JMException ex) {
            throw new IllegalStateException("This JVM does not tell its CPU time", ex);
        }
    }

    /** The heap in bytes that is still in use after a collection. */
    public static long heapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
