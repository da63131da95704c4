package dev.baton.lock.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for answers where an interrupt must not end the wait. The interrupt is kept for the thread. */
public final class Uninterruptibly {

    private Uninterruptibly() {}

    /** Returns the answer, or {@code null} if there was none within the given time, or the answer is a failure. */
    public static <T extends @Nullable Object> @Nullable T await(CompletableFuture<T> answer, long nanos) {
        long from = System.nanoTime();
        KeptInterrupt interrupt = new KeptInterrupt();
        try {
            while (true) {
                try {
                    return answer.get(nanos - (System.nanoTime() - from), TimeUnit.NANOSECONDS);
                } catch (InterruptedException ex) {
                    interrupt.take();
                } catch (ExecutionException | TimeoutException ex) {
                    return null;
                }
            }
        } finally {
            interrupt.giveBack();
        }
    }
}
