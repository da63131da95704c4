package dev.baton.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes which locks are requested, for how long, and how long to wait for them. Immutable, validated on creation.
 *
 * <p>A component that is {@code null} defaults to the setting of the {@link LockOperations} that receive the request
 * ({@code baton.*} in an application).
 *
 * @param targets the locks, granted all or none; never empty, at most {@link #MOST_LOCKS}; a lock named twice counts
 *     once
 * @param namespace a nested namespace below the one of the operations; names separated by colons, no braces
 * @param expire the length of the lease, 10 ms to ten years
 * @param waitTime the bound on waiting for the grant
 * @param stallTime how long the same holder may keep the lock before the request gives up; a new holder restarts the
 *     clock. {@code null} if the request never gives up for that reason
 * @param recheck how often the request asks the store again while it waits, 10 ms to ten years
 * @param renew whether the lease is extended while the holder works
 * @param holdAtLeast how long after the grant the lock is kept from others even if it is released earlier, at most the
 *     lease; {@code null} if it is not kept
 * @param owner the owner, shared by threads and callbacks of this process, and different from the same text in another
 *     process; {@code null} for the calling thread
 * @param reentrant whether the owner may acquire the lock again while holding it; if {@code false}, that fails at once
 *     with {@link LockDeadlockException}
 * @param interruptible whether an interrupt ends the wait; if {@code false}, the interrupt is kept until the wait is
 *     over
 * @param onLost the reaction to the loss of the lease while work runs under it. For a lease without work
 *     ({@code acquire}, {@code tryAcquire}), {@link OnLost#LOG} keeps {@link Lease#close()} from throwing, and
 *     {@link OnLost#INTERRUPT} is rejected
 * @param mode {@link LockMode#EXCLUSIVE}
 */
public record LockRequest(
        List<LockTarget> targets,
        @Nullable String namespace,
        @Nullable Duration expire,
        @Nullable WaitTime waitTime,
        @Nullable Duration stallTime,
        @Nullable Duration recheck,
        Renewal renew,
        @Nullable Duration holdAtLeast,
        @Nullable String owner,
        boolean reentrant,
        boolean interruptible,
        @Nullable OnLost onLost,
        LockMode mode) {

    /** The key of a scope that has just one lock. */
    public static final String GLOBAL = LockTarget.GLOBAL;

    /** The maximum number of locks in one request. */
    public static final int MOST_LOCKS = 128;

    public LockRequest {
        targets = List.copyOf(targets.size() == 1 ? targets : new LinkedHashSet<>(targets));
        LockRequestRules.check(targets, namespace, expire, stallTime, recheck, holdAtLeast, owner, mode);
    }

    /**
     * Returns a request for one lock: {@code of("server_access")} is {@code server_access.global},
     * {@code of("invoice", "acme", 7)} is {@code invoice.acme:7}.
     *
     * @param parts the key parts, as {@link LockKeyPart} accepts them
     * @throws IllegalArgumentException if the scope or a part is invalid
     */
    public static LockRequest of(String scope, @Nullable Object @Nullable ... parts) {
        return of(List.of(LockTarget.of(scope, parts)));
    }

    /**
     * Returns a request for several locks of one scope, one per key, granted all or none.
     *
     * @param keys the keys, as {@link LockKeyPart} accepts them, at least one
     * @throws IllegalArgumentException if the scope or a key is invalid, or there is no key, or there are too many
     */
    public static LockRequest ofAll(String scope, Collection<?> keys) {
        LockNames.checkScope(scope);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no key for scope '" + scope
                    + "': an empty collection names no lock; check the collection, and skip the work if it is empty");
        }
        List<LockTarget> targets = new ArrayList<>(keys.size());
        int place = 0;
        for (Object key : keys) {
            String source = "key " + ++place + " of " + keys.size() + " of scope '" + scope + "'";
            targets.add(new LockTarget(scope, List.of(LockKeyPart.of(key, source))));
        }
        return of(targets);
    }

    private static LockRequest of(List<LockTarget> targets) {
        return new LockRequest(
                targets, null, null, null, null, null, Renewal.AUTO, null, null, true, true, null, LockMode.EXCLUSIVE);
    }

    /** Returns a request for these locks and the other's, all or none; everything else as in this request. */
    public LockRequest and(LockRequest other) {
        List<LockTarget> both = new ArrayList<>(targets);
        both.addAll(other.targets);
        return with(draft -> draft.targets = both);
    }

    /** Returns the same request for these locks instead of its own, all or none. */
    public LockRequest targets(List<LockTarget> targets) {
        return with(draft -> draft.targets = targets);
    }

    /** Returns the names of the locks, {@code scope.key}, in the order of the request. */
    public List<String> names() {
        return targets.stream().map(LockTarget::name).toList();
    }

    /** Returns the name of the lock, or all names separated by commas if there are several locks. */
    public String name() {
        return targets.size() == 1 ? targets.get(0).name() : String.join(", ", names());
    }

    /** Returns the {@link #name()} for people: control characters are escaped as in {@link LockNames#printable}. */
    public String title() {
        return LockNames.printable(name());
    }

    /** Returns the same request in a namespace below the operations' own, or in their own if {@code null}. */
    public LockRequest namespace(@Nullable String namespace) {
        return with(draft -> draft.namespace = namespace);
    }

    /** Returns the same request with a lease of this length, which is a limit unless {@link Renewal#ALWAYS} is set. */
    public LockRequest expire(@Nullable Duration expire) {
        return with(draft -> draft.expire = expire);
    }

    /** Returns the same request with this maximum wait time; zero does not wait. */
    public LockRequest waitTime(Duration waitTime) {
        return waitTime(WaitTime.of(waitTime));
    }

    /** Returns the same request with this bound on waiting. */
    public LockRequest waitTime(@Nullable WaitTime waitTime) {
        return with(draft -> draft.waitTime = waitTime);
    }

    /** Returns the same request without a bound on waiting. */
    public LockRequest waitUnbounded() {
        return waitTime(WaitTime.unbounded());
    }

    /**
     * Returns the same request, which gives up when the same holder has kept the lock that long; never for that reason
     * if {@code null}.
     */
    public LockRequest stallTime(@Nullable Duration stallTime) {
        return with(draft -> draft.stallTime = stallTime);
    }

    /** Returns the same request, which asks again that often while it waits. */
    public LockRequest recheck(@Nullable Duration recheck) {
        return with(draft -> draft.recheck = recheck);
    }

    public LockRequest renew(Renewal renew) {
        return with(draft -> draft.renew = renew);
    }

    /**
     * Returns the same request, which keeps the lock that long even if it is released earlier; not at all if
     * {@code null}.
     */
    public LockRequest holdAtLeast(@Nullable Duration holdAtLeast) {
        return with(draft -> draft.holdAtLeast = holdAtLeast);
    }

    /**
     * Returns the same request on behalf of this owner, whichever thread requests; of the calling thread if
     * {@code null}.
     */
    public LockRequest owner(@Nullable String owner) {
        return with(draft -> draft.owner = owner);
    }

    public LockRequest reentrant(boolean reentrant) {
        return with(draft -> draft.reentrant = reentrant);
    }

    public LockRequest interruptible(boolean interruptible) {
        return with(draft -> draft.interruptible = interruptible);
    }

    /** Returns the same request with this reaction to a lost lease; the operations' own if {@code null}. */
    public LockRequest onLost(@Nullable OnLost onLost) {
        return with(draft -> draft.onLost = onLost);
    }

    /**
     * Returns the same request in this mode.
     *
     * @throws IllegalArgumentException if the mode is {@link LockMode#SHARED}, which is not supported yet
     */
    public LockRequest mode(LockMode mode) {
        return with(draft -> draft.mode = mode);
    }

    private LockRequest with(LockRequestDraft.Change change) {
        LockRequestDraft draft = new LockRequestDraft(this);
        change.apply(draft);
        return draft.build();
    }
}
