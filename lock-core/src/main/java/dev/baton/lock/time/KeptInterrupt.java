package dev.baton.lock.time;

import org.jspecify.annotations.Nullable;

/**
 * The interrupt of a thread that an {@link InterruptedException} has taken from it, and that it gets back after its
 * wait. Used by that thread alone.
 */
public final class KeptInterrupt {

    private static final ThreadLocal<@Nullable Observer> OBSERVER = new ThreadLocal<>();

    private boolean taken;

    /** Learns of the interrupts of one thread that are kept, because it also sets and clears the flag of the thread. */
    public interface Observer {

        /** An exception has just cleared the flag. The interrupt will be given back. */
        void taken();

        /** The thread gets its interrupt back: sets the flag. */
        void givenBack();
    }

    /** Sets the observer of the calling thread, or removes it with {@code null}. */
    public static void observe(@Nullable Observer observer) {
        if (observer == null) {
            OBSERVER.remove();
        } else {
            OBSERVER.set(observer);
        }
    }

    /** Gives the calling thread the interrupt back that an exception has just taken. */
    public static void restore() {
        KeptInterrupt kept = new KeptInterrupt();
        kept.take();
        kept.giveBack();
    }

    /** Keeps the interrupt that an exception has just taken. */
    public void take() {
        if (!taken) {
            taken = true;
            Observer observer = OBSERVER.get();
            if (observer != null) {
                observer.taken();
            }
        }
    }

    /** Gives the interrupt back, if there is one. */
    public void giveBack() {
        if (taken) {
            taken = false;
            Observer observer = OBSERVER.get();
            if (observer != null) {
                observer.givenBack();
            } else {
                Thread.currentThread().interrupt();
            }
        }
    }
}
