package dev.baton.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Describes which locks are requested, for how long, and how long to wait for them. Immutable, validated on creation.
 *
 * <p>{@link #of(String, Object...)} and {@link #ofAll} create a request; every method that sets something returns
 * another one:
 *
 * <pre>{@code
 * LockRequest.of("server_access", 42).expire(Duration.ofSeconds(10)).waitTime(Duration.ofSeconds(2))
 * }</pre>
 *
 * <p>A setting that is {@code null} defaults to the setting of the {@link LockOperations} that receive the request
 * ({@code baton.*} in an application). Requests are equal if they name the same locks in the same order, and all their
 * settings are equal.
 */
public final class LockRequest {

    /** The key of a scope that has just one lock. */
    public static final String GLOBAL = LockTarget.GLOBAL;

    /** The maximum number of locks in one request. */
    public static final int MOST_LOCKS = 128;

    private final List<LockTarget> targets;
    private final @Nullable String namespace;
    private final @Nullable Duration expire;
    private final @Nullable WaitTime waitTime;
    private final @Nullable Duration stallTime;
    private final @Nullable OnStuck onStuck;
    private final @Nullable Duration recheck;
    private final @Nullable WaitStrategy waitStrategy;
    private final @Nullable Duration pollingInterval;
    private final Renewal renew;
    private final @Nullable Duration holdAtLeast;
    private final @Nullable String owner;
    private final boolean reentrant;
    private final boolean interruptible;
    private final @Nullable OnLost onLost;
    private final Set<LockTarget> shared;
    private final @Nullable LockPermits permits;

    /**
     * Creates a request.
     *
     * @throws IllegalArgumentException if a value is invalid
     */
    LockRequest(LockRequestDraft draft) {
        LockRequestRules.check(draft);
        this.targets = draft.targets;
        this.namespace = draft.namespace;
        this.expire = draft.expire;
        this.waitTime = draft.waitTime;
        this.stallTime = draft.stallTime;
        this.onStuck = draft.onStuck;
        this.recheck = draft.recheck;
        this.waitStrategy = draft.waitStrategy;
        this.pollingInterval = draft.pollingInterval;
        this.renew = draft.renew;
        this.holdAtLeast = draft.holdAtLeast;
        this.owner = draft.owner;
        this.reentrant = draft.reentrant;
        this.interruptible = draft.interruptible;
        this.onLost = draft.onLost;
        this.shared = draft.shared;
        this.permits = draft.permits;
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
        if (keys == null) {
            throw new IllegalArgumentException(
                    "the keys for scope '" + scope + "' are null; give a collection with at least one key");
        }
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
        return new LockRequest(new LockRequestDraft(targets));
    }

    /**
     * Returns a request for these locks and the other's, all or none. Each lock keeps its mode; a lock of both requests is
     * exclusive if it is exclusive in one of them. Everything else is as in this request.
     */
    public LockRequest and(LockRequest other) {
        LockRequestRules.checkTogether(this, other);
        List<LockTarget> both = new ArrayList<>(targets);
        both.addAll(other.targets);
        Set<LockTarget> together = new HashSet<>(shared);
        together.addAll(other.shared);
        together.removeIf(target -> isExclusive(target) || other.isExclusive(target));
        return with(draft -> draft.targets(both, together));
    }

    private boolean isExclusive(LockTarget target) {
        return targets.contains(target) && !shared.contains(target);
    }

    /** Returns the locks, which are granted all or none: never empty, at most {@link #MOST_LOCKS}, each lock once. */
    public List<LockTarget> targets() {
        return targets;
    }

    /**
     * Returns the same request for these locks instead of its own, all or none. A lock named twice counts once. All of
     * them are shared if this request shares all its locks; otherwise, those are that it shares.
     *
     * @throws IllegalArgumentException if there is no lock, or there are more than {@link #MOST_LOCKS}
     */
    public LockRequest targets(List<LockTarget> targets) {
        return with(draft -> draft.targets(targets));
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

    /** Returns the nested namespace below the one of the operations, or {@code null} if the locks are in their own. */
    public @Nullable String namespace() {
        return namespace;
    }

    /**
     * Returns the same request in a namespace below the operations' own, or in their own if {@code null}.
     *
     * @param namespace names separated by colons, no braces
     * @throws IllegalArgumentException if the namespace is invalid
     */
    public LockRequest namespace(@Nullable String namespace) {
        return with(draft -> draft.namespace = namespace);
    }

    /** Returns the length of the lease, or {@code null} if not set. */
    public @Nullable Duration expire() {
        return expire;
    }

    /**
     * Returns the same request with a lease of this length, which is a limit unless {@link Renewal#ALWAYS} is set.
     *
     * @param expire 10 ms to ten years, or {@code null} for the operations' own
     * @throws IllegalArgumentException if the length is out of range, or shorter than {@link #holdAtLeast()}
     */
    public LockRequest expire(@Nullable Duration expire) {
        return with(draft -> draft.expire = expire);
    }

    /** Returns the bound on waiting for the grant, or {@code null} if not set. */
    public @Nullable WaitTime waitTime() {
        return waitTime;
    }

    /**
     * Returns the same request with this maximum wait time; zero does not wait.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public LockRequest waitTime(Duration waitTime) {
        return waitTime(WaitTime.of(waitTime));
    }

    /** Returns the same request with this bound on waiting; the operations' own if {@code null}. */
    public LockRequest waitTime(@Nullable WaitTime waitTime) {
        return with(draft -> draft.waitTime = waitTime);
    }

    /** Returns the same request without a bound on waiting. */
    public LockRequest waitUnbounded() {
        return waitTime(WaitTime.unbounded());
    }

    /** Returns how long the same holder may keep the lock before the request gives up, or {@code null} if not set. */
    public @Nullable Duration stallTime() {
        return stallTime;
    }

    /**
     * Returns the same request, which gives up when the same holder has kept the lock that long, or takes the lock
     * ({@link #onStuck(OnStuck)}). A new holder restarts the clock.
     *
     * @param stallTime 10 ms to ten years, or {@code null} for the operations' own, by default never for that reason
     * @throws IllegalArgumentException if the time is out of range
     */
    public LockRequest stallTime(@Nullable Duration stallTime) {
        return with(draft -> draft.stallTime = stallTime);
    }

    /** Returns what the request does when the stall time is over, or {@code null} if not set. */
    public @Nullable OnStuck onStuck() {
        return onStuck;
    }

    /**
     * Returns the same request with this reaction to a holder that has kept the lock for the stall time. Operations reject
     * {@link OnStuck#STEAL} if neither the request nor its scope nor the operations have a stall time.
     *
     * @param onStuck the reaction, or {@code null} for the one of the scope, by default {@link OnStuck#FAIL}
     */
    public LockRequest onStuck(@Nullable OnStuck onStuck) {
        return with(draft -> draft.onStuck = onStuck);
    }

    /** Returns how often the request asks the store again while it waits, or {@code null} if not set. */
    public @Nullable Duration recheck() {
        return recheck;
    }

    /**
     * Returns the same request, which asks the store again that often while it waits.
     *
     * @param recheck 10 ms to ten years, or {@code null} for the operations' own
     * @throws IllegalArgumentException if the interval is out of range
     */
    public LockRequest recheck(@Nullable Duration recheck) {
        return with(draft -> draft.recheck = recheck);
    }

    /** Returns how the request learns that the lock may be its own, or {@code null} if not set. */
    public @Nullable WaitStrategy waitStrategy() {
        return waitStrategy;
    }

    /**
     * Returns the same request, which waits in this way. Operations serve {@link WaitStrategy#POLLING} and their own
     * configured strategy, and reject any other when they receive the request.
     *
     * @param waitStrategy the strategy, or {@code null} for the operations' own
     * @throws IllegalArgumentException if {@link #pollingInterval()} is set, and the strategy is another than
     *     {@link WaitStrategy#POLLING}
     */
    public LockRequest waitStrategy(@Nullable WaitStrategy waitStrategy) {
        return with(draft -> draft.waitStrategy = waitStrategy);
    }

    /** Returns the longest pause between two polls of the request, or {@code null} if not set. */
    public @Nullable Duration pollingInterval() {
        return pollingInterval;
    }

    /**
     * Returns the same request, which pauses between two polls for a random time of at least 1 ms, and up to the
     * interval. Operations reject the request if it does not poll.
     *
     * @param pollingInterval 1 ms to ten years, or {@code null} for the operations' own
     * @throws IllegalArgumentException if the interval is out of range, or {@link #waitStrategy()} is set to another
     *     strategy than {@link WaitStrategy#POLLING}
     */
    public LockRequest pollingInterval(@Nullable Duration pollingInterval) {
        return with(draft -> draft.pollingInterval = pollingInterval);
    }

    /** Returns whether the lease is extended while the holder works. */
    public Renewal renew() {
        return renew;
    }

    /** Returns the same request with this rule for extending the lease while the holder works. */
    public LockRequest renew(Renewal renew) {
        return with(draft -> draft.renew = renew);
    }

    /**
     * Returns how long after the grant the lock is kept from others even if it is released earlier, or {@code null} if
     * it is not kept.
     */
    public @Nullable Duration holdAtLeast() {
        return holdAtLeast;
    }

    /**
     * Returns the same request, which keeps the lock from others that long after the grant, even if it is released
     * earlier.
     *
     * @param holdAtLeast a positive time, at most the lease, or {@code null} to not keep the lock
     * @throws IllegalArgumentException if the time is not positive, or longer than the lease
     */
    public LockRequest holdAtLeast(@Nullable Duration holdAtLeast) {
        return with(draft -> draft.holdAtLeast = holdAtLeast);
    }

    /** Returns the owner, or {@code null} for the calling thread. */
    public @Nullable String owner() {
        return owner;
    }

    /**
     * Returns the same request on behalf of this owner, whichever thread requests. The owner is shared by threads and
     * callbacks of this process, and different from the same text in another process.
     *
     * @param owner at most 1,024 characters, not blank, or {@code null} for the calling thread
     * @throws IllegalArgumentException if the owner is blank or too long
     */
    public LockRequest owner(@Nullable String owner) {
        return with(draft -> draft.owner = owner);
    }

    /** Returns whether the owner may acquire the lock again while holding it. */
    public boolean reentrant() {
        return reentrant;
    }

    /**
     * Returns the same request, whose owner may or may not acquire the lock again while holding it. If {@code false},
     * such a call fails at once with {@link LockDeadlockException}.
     */
    public LockRequest reentrant(boolean reentrant) {
        return with(draft -> draft.reentrant = reentrant);
    }

    /** Returns whether an interrupt ends the wait. */
    public boolean interruptible() {
        return interruptible;
    }

    /**
     * Returns the same request, whose wait an interrupt ends or does not end. If {@code false}, the interrupt is kept
     * until the wait is over.
     */
    public LockRequest interruptible(boolean interruptible) {
        return with(draft -> draft.interruptible = interruptible);
    }

    /** Returns the reaction to the loss of the lease while work runs under it, or {@code null} if not set. */
    public @Nullable OnLost onLost() {
        return onLost;
    }

    /**
     * Returns the same request with this reaction to a lost lease; the operations' own if {@code null}. For a lease
     * without work ({@code acquire}, {@code tryAcquire}), {@link OnLost#LOG} keeps {@link Lease#close()} from throwing,
     * and {@link OnLost#INTERRUPT} is rejected.
     */
    public LockRequest onLost(@Nullable OnLost onLost) {
        return with(draft -> draft.onLost = onLost);
    }

    /**
     * Returns the mode: {@link LockMode#SHARED} if the request shares all its locks with other readers. A request for
     * several locks may {@linkplain #shared() share} only some of them; its mode is {@link LockMode#EXCLUSIVE} then.
     */
    public LockMode mode() {
        return shared.size() == targets.size() ? LockMode.SHARED : LockMode.EXCLUSIVE;
    }

    /**
     * Returns the same request with all its locks in this mode. For locks in different modes, combine requests by
     * {@link #and}.
     */
    public LockRequest mode(LockMode mode) {
        return with(draft -> draft.mode(mode));
    }

    /** Returns the locks that the request shares with other readers; all others are exclusive. */
    public Set<LockTarget> shared() {
        return shared;
    }

    /** Returns whether the request shares at least one of its locks. */
    public boolean isShared() {
        return !shared.isEmpty();
    }

    /** Returns the names of the locks that are shared. A name that an exclusive lock has as well is not among them. */
    public List<String> sharedNames() {
        Set<String> names = new LinkedHashSet<>();
        shared.forEach(target -> names.add(target.name()));
        targets.stream().filter(this::isExclusive).map(LockTarget::name).forEach(names::remove);
        return List.copyOf(names);
    }

    /** Returns how many permits the request takes, and of how many; {@code null} if it asks for locks. */
    public @Nullable LockPermits permits() {
        return permits;
    }

    /** Returns the same request for one permit of so many. A lock and a semaphore of the same name are independent. */
    public LockRequest permits(int size) {
        return permits(LockPermits.of(size));
    }

    /** Returns the same request for permits of a semaphore, or for the lock if {@code null}. */
    public LockRequest permits(@Nullable LockPermits permits) {
        return with(draft -> draft.permits = permits);
    }

    private LockRequest with(LockRequestDraft.Change change) {
        LockRequestDraft draft = new LockRequestDraft(this);
        change.apply(draft);
        return new LockRequest(draft);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof LockRequest that && settings().equals(that.settings());
    }

    @Override
    public int hashCode() {
        return settings().hashCode();
    }

    private List<?> settings() {
        return new LockRequestDraft(this).settings();
    }

    /** Names the locks and the settings that differ from those of {@link #of(String, Object...)}, for people. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "LockRequest[", "]").add(title());
        add(text, "namespace", namespace);
        add(text, "expire", expire);
        add(text, "waitTime", waitTime);
        add(text, "stallTime", stallTime);
        add(text, "onStuck", onStuck);
        add(text, "recheck", recheck);
        add(text, "waitStrategy", waitStrategy);
        add(text, "pollingInterval", pollingInterval);
        add(text, "renew", renew == Renewal.AUTO ? null : renew);
        add(text, "holdAtLeast", holdAtLeast);
        add(text, "owner", owner == null ? null : LockNames.printable(owner));
        add(text, "reentrant", reentrant ? null : false);
        add(text, "interruptible", interruptible ? null : false);
        add(text, "onLost", onLost);
        add(text, "permits", permits);
        if (isShared()) {
            add(text, "mode", mode() == LockMode.SHARED ? mode() : "SHARED for " + sharedNames());
        }
        return text.toString();
    }

    private static void add(StringJoiner text, String setting, @Nullable Object value) {
        if (value != null) {
            text.add(setting + "=" + value);
        }
    }
}
