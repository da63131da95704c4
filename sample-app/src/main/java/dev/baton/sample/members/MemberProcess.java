package dev.baton.sample.members;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link Member}, seen from the first instance, which started it. */
final class MemberProcess implements AutoCloseable {

    private static final int END_SECONDS = 15;

    private final int number;
    private final Process process;
    private volatile boolean ending;

    private MemberProcess(int number, Process process) {
        this.number = number;
        this.process = process;
    }

    /** Starts it; what it prints is printed here, with its number before it. */
    static MemberProcess start(int number, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        MemberProcess member = new MemberProcess(number, process);
        Thread reader = new Thread(member::follow, "instance-" + number);
        reader.setDaemon(true);
        reader.start();
        return member;
    }

    private void follow() {
        String how;
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                System.out.println("[instance " + number + "] " + line);
            }
            how = "exit code " + process.waitFor();
        } catch (IOException | InterruptedException ex) {
            how = ex.toString();
        }
        if (!ending) {
            System.out.println("[instance " + number + "] has ended: " + how);
        }
    }

    /** Has it end in its own time. */
    void end() {
        ending = true;
        try (Writer writer = process.outputWriter(StandardCharsets.UTF_8)) {
            writer.write(Member.END + "\n");
        } catch (IOException ex) {
            process.destroy(); // it has ended already, or cannot be told otherwise
        }
    }

    /** Waits until it has ended, for a while, and then ends it. */
    @Override
    public void close() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
