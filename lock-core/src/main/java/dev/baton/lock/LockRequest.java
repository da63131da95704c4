package dev.baton.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for: which locks, for how long, and how long to wait for them. Immutable, validated on creation.
 *
 * <p>What is null is taken from the {@link LockOperations} that it is given to ({@code baton.*} in an application).
 *
 * @param targets which locks, all or none; never empty, at most {@link #MOST_LOCKS}; one named twice counts once
 * @param namespace a nested namespace below the one of the operations; names separated by colons, no braces
 * @param expire length of the lease, 10 ms to ten years
 * @param waitTime bound on waiting for the grant
 * @param stallTime when to give up because the same holder has kept the lock so long; a new holder starts the clock again;
 *     null: never for that reason
 * @param recheck how often it asks again while it waits, 10 ms to ten years
 * @param renew whether the lease is extended while the holder works
 * @param holdAtLeast how long after the grant the lock is kept from others even if it is released earlier, at most the
 *     lease; null: not at all
 * @param owner who asks, shared by threads and callbacks of this process, and different from the same text in another
 *     process; null: the calling thread
 * @param reentrant whether the same owner may take it again while it holds it; false: that fails at once with
 *     {@link LockDeadlockException}
 * @param interruptible whether an interrupt ends the wait; false: it is kept until the wait is over
 * @param onLost what happens to work whose lease is lost. For a lease without work ({@code acquire}, {@code tryAcquire}),
 *     {@link OnLost#LOG} keeps {@link Lease#close()} from throwing, and {@link OnLost#INTERRUPT} is refused
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

    /** The most locks of one request. */
    public static final int MOST_LOCKS = 128;

    public LockRequest {
        targets = List.copyOf(targets.size() == 1 ? targets : new LinkedHashSet<>(targets));
        LockRequestRules.check(targets, namespace, expire, stallTime, recheck, holdAtLeast, owner, mode);
    }

    /**
     * One lock: {@code of("server_access")} is {@code server_access.global}, {@code of("invoice", "acme", 7)} is
     * {@code invoice.acme:7}.
     *
     * @param parts as {@link LockKeyPart} accepts them
     * @throws IllegalArgumentException if the scope or a part cannot be used
     */
    public static LockRequest of(String scope, @Nullable Object @Nullable ... parts) {
        return of(List.of(LockTarget.of(scope, parts)));
    }

    /**
     * Several locks of one scope, one per key: all or none.
     *
     * @param keys as {@link LockKeyPart} accepts them, at least one
     * @throws IllegalArgumentException if the scope or a key cannot be used, or there is none, or there are too many
     */
    public static LockRequest ofAll(String scope, Collection<?> keys) {
        LockNames.checkScope(scope);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no key for scope '" + scope
                    + "'; an empty collection names no lock: leave the work out, or check it");
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

    /** These locks and the other's, all or none; everything else as here. */
    public LockRequest and(LockRequest other) {
        List<LockTarget> both = new ArrayList<>(targets);
        both.addAll(other.targets);
        return with(draft -> draft.targets = both);
    }

    /** The same for these locks instead of its own, all or none. */
    public LockRequest targets(List<LockTarget> targets) {
        return with(draft -> draft.targets = targets);
    }

    /** The names of the locks, {@code scope.key}, in the order of the request. */
    public List<String> names() {
        return targets.stream().map(LockTarget::name).toList();
    }

    /** The name of the lock; of several, all of them separated by commas. */
    public String name() {
        return targets.size() == 1 ? targets.get(0).name() : String.join(", ", names());
    }

    /** As {@link #name()}, for people: with control characters as {@link LockNames#printable} shows them. */
    public String title() {
        return LockNames.printable(name());
    }

    /** The same in a namespace below the operations' own; null: in that one. */
    public LockRequest namespace(@Nullable String namespace) {
        return with(draft -> draft.namespace = namespace);
    }

    /** The same with a lease of this length, which is a limit unless {@link Renewal#ALWAYS} is asked for. */
    public LockRequest expire(@Nullable Duration expire) {
        return with(draft -> draft.expire = expire);
    }

    /** The same waiting at the most that long; zero does not wait. */
    public LockRequest waitTime(Duration waitTime) {
        return waitTime(WaitTime.of(waitTime));
    }

    /** The same with this bound on waiting. */
    public LockRequest waitTime(@Nullable WaitTime waitTime) {
        return with(draft -> draft.waitTime = waitTime);
    }

    /** The same waiting without a bound. */
    public LockRequest waitUnbounded() {
        return waitTime(WaitTime.unbounded());
    }

    /** The same giving up when the same holder has kept the lock that long; null: never for that reason. */
    public LockRequest stallTime(@Nullable Duration stallTime) {
        return with(draft -> draft.stallTime = stallTime);
    }

    /** The same asking again that often while it waits. */
    public LockRequest recheck(@Nullable Duration recheck) {
        return with(draft -> draft.recheck = recheck);
    }

    public LockRequest renew(Renewal renew) {
        return with(draft -> draft.renew = renew);
    }

    /** The same keeping the lock that long even if it is released earlier; null: not at all. */
    public LockRequest holdAtLeast(@Nullable Duration holdAtLeast) {
        return with(draft -> draft.holdAtLeast = holdAtLeast);
    }

    /** The same on behalf of this owner, whichever thread asks; null: the calling thread. */
    public LockRequest owner(@Nullable String owner) {
        return with(draft -> draft.owner = owner);
    }

    public LockRequest reentrant(boolean reentrant) {
        return with(draft -> draft.reentrant = reentrant);
    }

    public LockRequest interruptible(boolean interruptible) {
        return with(draft -> draft.interruptible = interruptible);
    }

    /** The same with this answer to a lost lease; null: the operations' own. */
    public LockRequest onLost(@Nullable OnLost onLost) {
        return with(draft -> draft.onLost = onLost);
    }

    /**
     * The same in this mode.
     *
     * @throws IllegalArgumentException if it is {@link LockMode#SHARED}, which is not supported yet
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
