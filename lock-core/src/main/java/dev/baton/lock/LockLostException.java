package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lease ended before its holder was done: meanwhile another may have had the lock. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final String owner;
    private final long fencingToken;
    private final Duration lostFor;
    private final String[] lostNames;
    private final transient @Nullable Object result;

    /**
     * Creates the exception with a message that says what was lost, when, and what to do.
     *
     * @param lostFor how long ago the lease was lost, by this process's clock
     * @param reason why, as a clause: {@code "Redis no longer knew it"}
     * @param result what the work under the lock returned; null if there was none
     */
    public LockLostException(
            String name, String owner, long fencingToken, Duration lostFor, String reason, @Nullable Object result) {
        this(name, List.of(name), owner, fencingToken, lostFor, reason, result);
    }

    /**
     * Creates the exception for a lease of several locks.
     *
     * @param name all of them, as {@link #getName()}
     * @param lostNames those that were lost
     */
    public LockLostException(
            String name,
            List<String> lostNames,
            String owner,
            long fencingToken,
            Duration lostFor,
            String reason,
            @Nullable Object result) {
        super(
                name,
                "Lock '" + what(name, lostNames) + "' was lost " + lostFor.toMillis() + " ms before its holder " + owner
                        + " was done (token " + fencingToken + "; " + reason
                        + "): another may have had it meanwhile; check what was written, raise expire or renew the lease",
                null);
        this.owner = owner;
        this.fencingToken = fencingToken;
        this.lostFor = lostFor;
        this.lostNames = lostNames.toArray(String[]::new);
        this.result = result;
    }

    private static String what(String name, List<String> lostNames) {
        String lost = String.join(", ", lostNames);
        return lost.equals(name) ? name : lost + "' of '" + name;
    }

    /**
     * The locks that were lost: of a lease of several perhaps some only, if keys were deleted; the others were given back. All
     * of them where that is not known.
     */
    public List<String> getLostNames() {
        return List.of(lostNames);
    }

    public String getOwner() {
        return owner;
    }

    public long getFencingToken() {
        return fencingToken;
    }

    /** How long ago the lease was lost when this was thrown. */
    public Duration getLostFor() {
        return lostFor;
    }

    /** What the work under the lock returned although the lock was lost; null if nothing, or after serialization. */
    public @Nullable Object getResult() {
        return result;
    }
}
