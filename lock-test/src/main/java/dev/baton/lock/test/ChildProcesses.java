package dev.baton.lock.test;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The processes that tests have started: whatever is still running when this JVM ends is killed. */
final class ChildProcesses {

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcesses::killAll, "test-children-end"));
    }

    private ChildProcesses() {}

    static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        RUNNING.add(process);
        return process;
    }

    /** SIGKILL, also to a stopped process; returns when it is gone. */
    static void kill(Process process) {
        // by its handle: destroying the Process itself would also close its output, unread lines and all
        process.toHandle().destroyForcibly();
        if (!Interrupts.later(() -> process.waitFor(KILL_BOUND.toMillis(), TimeUnit.MILLISECONDS))) {
            throw new IllegalStateException(
                    "Process " + process.pid() + " did not end within " + KILL_BOUND.toSeconds() + " s of SIGKILL");
        }
        RUNNING.remove(process);
    }

    private static void killAll() {
        RUNNING.forEach(Process::destroyForcibly);
        try {
            RedisExecutable.deleteScratch();
        } catch (IOException ex) {
            // the last moment of the JVM: nobody is left to throw to
            System.err.println("Could not remove the scratch directory of the tests: " + ex);
        }
    }
}
