package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown if the lease ended before its holder was done: meanwhile another holder may have had the lock. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final String owner;
    private final String label;
    private final long fencingToken;
    private final Duration lostFor;
    private final String[] lostNames;
    private final transient @Nullable LockHolder nextHolder;
    private final transient @Nullable Object result;

    /**
     * Creates the exception with a message that says which lock was lost, when, and what to do. The message names the
     * owner, because the label of the holder is not known.
     *
     * @param lostFor how long ago the lease was lost, by this process's clock
     * @param reason the reason, as a clause: {@code "Redis no longer knew it"}
     * @param result the result of the work under the lock, or {@code null} if there is none
     */
    public LockLostException(
            String name, String owner, long fencingToken, Duration lostFor, String reason, @Nullable Object result) {
        this(name, List.of(name), owner, fencingToken, lostFor, reason, result);
    }

    /**
     * Creates the exception for a lease of several locks.
     *
     * @param name the names of all locks, in the format of {@link #name()}
     * @param lostNames the names of the locks that were lost
     */
    public LockLostException(
            String name,
            List<String> lostNames,
            String owner,
            long fencingToken,
            Duration lostFor,
            String reason,
            @Nullable Object result) {
        this(name, lostNames, owner, owner, fencingToken, lostFor, reason, null, result);
    }

    /**
     * Creates the exception for a lease whose holder is known by its label.
     *
     * @param label the holder for people, as {@link LockHolder#label()}
     * @param nextHolder the holder that acquired one of the locks afterwards, or {@code null} if none was seen
     */
    public LockLostException(
            String name,
            List<String> lostNames,
            String owner,
            String label,
            long fencingToken,
            Duration lostFor,
            String reason,
            @Nullable LockHolder nextHolder,
            @Nullable Object result) {
        super(
                name,
                "Lock '" + what(name, lostNames) + "' was lost " + lostFor.toMillis() + " ms before its holder " + label
                        + " was done (token " + fencingToken + "; " + reason + "): " + meanwhile(nextHolder)
                        + "; check what was written, and raise expire or renew the lease",
                null);
        this.owner = owner;
        this.label = label;
        this.fencingToken = fencingToken;
        this.lostFor = lostFor;
        this.lostNames = lostNames.toArray(String[]::new);
        this.nextHolder = nextHolder;
        this.result = result;
    }

    private static String what(String name, List<String> lostNames) {
        String lost = String.join(", ", lostNames);
        return lost.equals(name) ? name : lost + "' of '" + name;
    }

    private static String meanwhile(@Nullable LockHolder next) {
        return next == null
                ? "another caller may have held it meanwhile"
                : next.label() + " acquired it meanwhile (token " + next.fencingToken() + ")";
    }

    /**
     * Returns the names of the lost locks. For a lease of several locks, these may be only some of them, if keys were
     * deleted; the other locks were released. Contains all locks of the lease if the lost ones are not known.
     */
    public List<String> lostNames() {
        return List.of(lostNames);
    }

    /** Returns the owner that lost the lease, as {@link Lease#owner()} does. */
    public String owner() {
        return owner;
    }

    /**
     * Returns the holder that lost the lease, for people: host, process id and thread, or the owner that its request
     * named.
     */
    public String label() {
        return label;
    }

    /** Returns the token of the lost grant, as {@link Lease#fencingToken()} does. */
    public long fencingToken() {
        return fencingToken;
    }

    /** Returns how long ago the lease was lost when this exception was thrown. */
    public Duration lostFor() {
        return lostFor;
    }

    /**
     * Returns the holder that acquired one of the locks after the loss. Empty if this process has seen none, which does
     * not mean that there was none, and after serialization.
     */
    public Optional<LockHolder> nextHolder() {
        return Optional.ofNullable(nextHolder);
    }

    /** Returns the result of the work under the lost lock, or {@code null} if there is none, or after serialization. */
    public @Nullable Object result() {
        return result;
    }
}
