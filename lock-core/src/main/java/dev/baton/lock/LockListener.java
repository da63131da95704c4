package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Told of what becomes of the locks of this process. In an application every bean of this type is told, in its order.
 *
 * <p>It hears of grants, not of re-entries: neither a re-entry nor its release is told. {@link #granted}, {@link #timedOut}
 * and {@link #released} are called in the thread that asked or released, which goes on only afterwards; {@link #lost} in a thread
 * of Baton's own. They may be called by several threads at once, {@code lost} even before {@code granted} has returned.
 * What one throws is logged and changes nothing, neither for the lock nor for other listeners.
 *
 * <p>A bean must not need the {@code LockTemplate} to be created, which needs the listeners; an {@code ObjectProvider} may.
 */
public interface LockListener {

    /** A lock was granted; the work under it begins when this returns. */
    default void granted(Granted event) {}

    /** A request was not granted in time: also one that did not wait. Not told: interrupts, and a store that cannot be asked. */
    default void timedOut(TimedOut event) {}

    /** A lock was given back in time, and may be held by the next already. */
    default void released(Released event) {}

    /** A lease ended before it was released; told once. It may be one that was over before {@link #granted} could be told. */
    default void lost(LockLostEvent event) {}

    /**
     * A grant.
     *
     * @param namespace the nested namespace of the locks; empty: none
     * @param names the names of the locks, {@code scope.key}
     * @param owner who holds them
     * @param fencingToken the token of the grant
     * @param waited how long the request waited for it
     * @param contended whether somebody else held one of them, or stood before it
     * @param attempts how many acquires were sent for it
     */
    record Granted(
            String namespace,
            List<String> names,
            String owner,
            long fencingToken,
            Duration waited,
            boolean contended,
            int attempts) {}

    /**
     * A request that was given up.
     *
     * @param namespace the nested namespace of the locks; empty: none
     * @param names the names of the locks, {@code scope.key}
     * @param owner who asked for them
     * @param waited how long; zero for a try
     * @param holder who was last seen to hold one of them; null: nobody was
     */
    record TimedOut(
            String namespace,
            List<String> names,
            String owner,
            Duration waited,
            @Nullable LockHolder holder) {}

    /**
     * A release.
     *
     * @param namespace the nested namespace of the locks; empty: none
     * @param names the names of the locks, {@code scope.key}
     * @param owner who held them
     * @param fencingToken the token of the grant
     * @param heldFor from the grant to the release, by this process's clock
     */
    record Released(String namespace, List<String> names, String owner, long fencingToken, Duration heldFor) {}
}
