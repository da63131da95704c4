package dev.baton.lock.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers where an interrupt must not decide; it is kept for the thread. */
final class Uninterruptibly {

    private Uninterruptibly() {}

    /** Returns when there is an answer or a failure, at the latest after this time. */
    static void await(CompletableFuture<?> answer, long nanos) {
        long from = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    answer.get(nanos - (System.nanoTime() - from), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException ex) {
                    interrupted = true;
                } catch (ExecutionException | TimeoutException ex) {
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
