package dev.baton.lock.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Signals that {@link Process} cannot send. */
final class Signals {

    private Signals() {}

    /** Sends one, for example {@code STOP}, and returns when it has been sent. */
    static void send(String signal, long pid) {
        try {
            // the kill that every sh has built in: the program of that name is not everywhere
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = Interrupts.later(kill::waitFor);
            if (exit != 0) {
                throw new IllegalStateException("SIG" + signal + " could not be sent to " + pid + ": " + output);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException("SIG" + signal + " could not be sent to " + pid, ex);
        }
    }
}
