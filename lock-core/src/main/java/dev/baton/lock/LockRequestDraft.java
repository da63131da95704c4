package dev.baton.lock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds the settings of a request that is being created, before they are checked. */
final class LockRequestDraft {

    /** Changes one setting. */
    interface Change {
        void apply(LockRequestDraft draft);
    }

    List<LockTarget> targets;

    @Nullable
    String namespace;

    @Nullable
    Duration expire;

    @Nullable
    WaitTime waitTime;

    @Nullable
    Duration stallTime;

    @Nullable
    OnStuck onStuck;

    @Nullable
    Duration recheck;

    @Nullable
    WaitStrategy waitStrategy;

    @Nullable
    Duration pollingInterval;

    Renewal renew = Renewal.AUTO;

    @Nullable
    Duration holdAtLeast;

    @Nullable
    String owner;

    boolean reentrant = true;
    boolean interruptible = true;

    @Nullable
    OnLost onLost;

    /** The locks in shared mode. */
    Set<LockTarget> shared = Set.of();

    @Nullable
    LockPermits permits;

    /** Creates a draft for these locks with the default settings. */
    LockRequestDraft(List<LockTarget> targets) {
        this.targets = distinct(targets);
    }

    /** Creates a draft with the locks and the settings of a request. */
    LockRequestDraft(LockRequest request) {
        this.targets = request.targets();
        this.namespace = request.namespace();
        this.expire = request.expire();
        this.waitTime = request.waitTime();
        this.stallTime = request.stallTime();
        this.onStuck = request.onStuck();
        this.recheck = request.recheck();
        this.waitStrategy = request.waitStrategy();
        this.pollingInterval = request.pollingInterval();
        this.renew = request.renew();
        this.holdAtLeast = request.holdAtLeast();
        this.owner = request.owner();
        this.reentrant = request.reentrant();
        this.interruptible = request.interruptible();
        this.onLost = request.onLost();
        this.shared = request.shared();
        this.permits = request.permits();
    }

    /** Sets the locks. All of them are shared if all were until now; else those are that were. */
    void targets(List<LockTarget> targets) {
        boolean all = !shared.isEmpty() && shared.containsAll(this.targets);
        this.targets = distinct(targets);
        shared = shared.isEmpty() ? shared : among(all ? this.targets : shared);
    }

    /** Sets the locks, and which of them are shared. */
    void targets(List<LockTarget> targets, Set<LockTarget> shared) {
        this.targets = distinct(targets);
        this.shared = among(shared);
    }

    /** Sets the mode of all locks. */
    void mode(LockMode mode) {
        shared = mode == LockMode.SHARED ? Set.copyOf(targets) : Set.of();
    }

    /** Returns the locks and all settings: two requests are equal if these lists are. */
    List<?> settings() {
        return Arrays.asList(
                targets,
                namespace,
                expire,
                waitTime,
                stallTime,
                onStuck,
                recheck,
                waitStrategy,
                pollingInterval,
                renew,
                holdAtLeast,
                owner,
                reentrant,
                interruptible,
                onLost,
                shared,
                permits);
    }

    private Set<LockTarget> among(Collection<LockTarget> shared) {
        return targets.stream().filter(shared::contains).collect(Collectors.toUnmodifiableSet());
    }

    /** Copies the list, with each lock once: most requests name one lock, for which no set is needed. */
    private static List<LockTarget> distinct(List<LockTarget> targets) {
        return List.copyOf(targets.size() == 1 ? targets : new LinkedHashSet<>(targets));
    }
}
