package dev.baton.lock.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Starts the processes of tests, and kills those that still run when this JVM ends. */
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

    /** Sends SIGKILL, also to a stopped process, and returns when the process has ended. */
    static void kill(Process process) {
        // use the handle: destroying the Process would also close its output, and unread lines would be lost
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
            // the JVM is ending: there is no caller left to throw to
            System.err.println("Could not remove the scratch directory of the tests: " + ex);
        }
    }
}
