package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds the components of a request while one of them is being changed. */
final class LockRequestDraft {

    /** Changes one component. */
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
    Duration recheck;

    Renewal renew;

    @Nullable
    Duration holdAtLeast;

    @Nullable
    String owner;

    boolean reentrant;
    boolean interruptible;

    @Nullable
    OnLost onLost;

    LockMode mode;

    LockRequestDraft(LockRequest request) {
        this.targets = request.targets();
        this.namespace = request.namespace();
        this.expire = request.expire();
        this.waitTime = request.waitTime();
        this.stallTime = request.stallTime();
        this.recheck = request.recheck();
        this.renew = request.renew();
        this.holdAtLeast = request.holdAtLeast();
        this.owner = request.owner();
        this.reentrant = request.reentrant();
        this.interruptible = request.interruptible();
        this.onLost = request.onLost();
        this.mode = request.mode();
    }

    LockRequest build() {
        return new LockRequest(
                targets,
                namespace,
                expire,
                waitTime,
                stallTime,
                recheck,
                renew,
                holdAtLeast,
                owner,
                reentrant,
                interruptible,
                onLost,
                mode);
    }
}
