package dev.baton.lock;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at locks from outside, whoever holds them, and takes one away from its holder. For operators, health checks and tests: an
 * answer is over as soon as it is given, so nothing that needs a lock may be decided by it.
 *
 * <p>Thread-safe. Every method asks the store and waits at most the command time-out for each of its answers. An interrupt
 * ends that wait: the thread's flag is set again, and the exception is a {@link LockStoreException}.
 */
public interface LockInspection {

    /**
     * Who holds a lock, and who waits for it.
     *
     * @param request names one lock; whatever else it asks for has no meaning here
     * @throws IllegalArgumentException if it names several
     * @throws LockStoreException if the store could not be asked
     */
    LockState inspect(LockRequest request);

    /**
     * Whether somebody holds a lock; of several, whether any of them is held, by one or by several holders.
     *
     * @throws LockStoreException if the store could not be asked
     */
    boolean isLocked(LockRequest request);

    /** As {@link #list(String, String)} in the namespace of these operations. */
    default Stream<LockState> list(String pattern) {
        return list(pattern, null);
    }

    /**
     * The locks that are held and whose name has a form, in no particular order. The stream asks page by page while it is read, so each
     * step of it may wait; closing it, or a short-circuit, ends that. One that is held all the time until the end is in it
     * once; one that is taken or given back meanwhile may be in it or not. The store goes through all its keys, of other programs
     * too: that is bounded in each step, not in their number.
     *
     * @param pattern the name, {@code scope.key}: {@code *} stands for any characters, {@code ?} for one, a backslash takes
     *     the meaning from the next; everything else stands for itself
     * @param namespace a nested namespace below the one of these operations; null: in that one. Namespaces below it are not
     *     listed
     * @return to be closed, or read to its end
     * @throws IllegalArgumentException if the pattern is blank, or the namespace cannot be one
     * @throws LockStoreException also while the stream is read, if the store could not be asked
     */
    Stream<LockState> list(String pattern, @Nullable String namespace);

    /**
     * Takes a lock away from its holder, whoever that is, and hands it to the first who waits. The holder is told at once, if its
     * process can be told: its lease is lost ({@link Lease#isHeld()}, {@link Lease#onLost}, {@link LockLostException}). Its
     * work is not stopped. A holder of several locks loses its lease and with it, once it has learnt of that, the others.
     *
     * @param request names one lock, or several, each of which is taken away
     * @return whether somebody held it, or one of them
     * @throws LockStoreException if the store could not be asked; of several, some may have been taken away
     */
    boolean forceRelease(LockRequest request);
}
