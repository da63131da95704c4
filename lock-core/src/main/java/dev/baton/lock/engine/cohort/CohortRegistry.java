package dev.baton.lock.engine.cohort;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the requests of this process for one lock stand in the store together, and passes the lock on among them without a
 * command. Never waits.
 *
 * <p>A request that asks for several locks, tries, minds who holds the lock, or wants another lease than those who are there
 * asks by itself.
 */
public final class CohortRegistry {

    private static final Logger log = LoggerFactory.getLogger(CohortRegistry.class);

    private final ConcurrentHashMap<LockName, Cohort> cohorts = new ConcurrentHashMap<>();

    private final Supplier<String> ids;
    /** All of the engine: members, and blocks. */
    private final Map<String, Claim> claims;

    private final CohortPolicy policy;
    private final LockStore store;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final AcquireDispatcher dispatcher;
    private final LeaseMonitor leases;
    private final EndDispatcher ends;

    /**
     * Creates it.
     *
     * @param ids a new id for each block
     * @param claims by id; a member goes when it is over, a block when the store knows that it is
     */
    public CohortRegistry(
            Supplier<String> ids,
            Map<String, Claim> claims,
            CohortPolicy policy,
            LockStore store,
            EngineExecutors executors,
            TimeSource time,
            AcquireDispatcher dispatcher,
            LeaseMonitor leases,
            EndDispatcher ends) {
        this.ids = ids;
        this.claims = claims;
        this.policy = policy;
        this.store = store;
        this.executors = executors;
        this.time = time;
        this.dispatcher = dispatcher;
        this.leases = leases;
        this.ends = ends;
    }

    /** A claim begins to wait, or is refused; false: it has to ask by itself. */
    public boolean begin(Claim claim) {
        if (policy.isOff() || claim.names.size() > 1) {
            return false;
        }
        LockName name = claim.names.get(0);
        if (claim.tries) {
            return isBusy(claim, cohorts.get(name));
        }
        if (claim.stallMonitor != null || !store.traits().reservesTokens()) {
            return false;
        }
        while (true) {
            Cohort cohort = cohorts.computeIfAbsent(name, same -> new Cohort(policy, this::open, claim));
            if (!cohort.suits(claim)) {
                return false;
            }
            Cohort.Step step = cohort.join(claim);
            if (step != null) {
                ask(step.asked());
                return true;
            }
            cohorts.remove(name, cohort);
        }
    }

    /** A try that meets a lock which is held here, or waited for in vain, need not ask. */
    private static boolean isBusy(Claim claim, @Nullable Cohort cohort) {
        if (cohort == null || !cohort.isContended() || cohort.failure() != null) {
            return false;
        }
        claim.membership.joined(cohort, true);
        claim.settled.complete(Outcome.REFUSED);
        return true;
    }

    /** The cohort in which a member waits: cohorts are the only groups. */
    private static Cohort of(Claim member) {
        return (Cohort) Objects.requireNonNull(member.cohort());
    }

    /** A member has given up. */
    public void left(Claim member) {
        Cohort cohort = of(member);
        claims.remove(member.id);
        Cohort.Step step = cohort.left(member);
        Claim asked = step.ended();
        forgetClosed(cohort, member);
        if (asked != null && asked.giveUp(time.nanoTime())) {
            abandon(asked);
        }
    }

    /** A member has given its lock back; the answer is as that of {@link EndDispatcher#end(Claim)}. */
    public CompletableFuture<@Nullable EndReply> end(Claim member) {
        try {
            return passOrEnd(of(member), member, time.nanoTime());
        } finally {
            // not before its block is being ended: who stops waits for what is listed here
            claims.remove(member.id);
        }
    }

    private CompletableFuture<@Nullable EndReply> passOrEnd(Cohort cohort, Claim member, long now) {
        Cohort.Step step = cohort.released(member, now);
        Claim granted = step.granted();
        if (granted != null) {
            granted.settled.complete(Outcome.GRANTED);
            extend(cohort, step.extended(), now);
            return CompletableFuture.completedFuture(
                    new EndReply(EndReply.Role.HOLDER, List.of(), false, false, List.of(granted.id)));
        }
        forgetClosed(cohort, member);
        Claim over = member.carrier();
        Grant grant = over.grant();
        boolean kept = grant != null && grant.keepMillis(now) > 0;
        if (grant != null) {
            leases.release(over, grant);
        }
        Claim next = step.asked();
        if (next != null && !kept) {
            return dispatcher.exchange(over, next);
        }
        CompletableFuture<@Nullable EndReply> ended = ends.end(over);
        ask(next);
        return ended;
    }

    /**
     * Beside the work of whoever holds it now; what is not answered in time is exchanged, as if it had not been asked.
     *
     * @param passedAt when it was passed on: its holder's lease is not to be longer than its own
     */
    private void extend(Cohort cohort, @Nullable Claim block, long passedAt) {
        Grant grant = block == null ? null : block.grant();
        if (block == null || grant == null) {
            return;
        }
        long passing = policy.longest(block.leaseNanos());
        leases.renewer().extend(block, grant, policy.limit(), passing, passedAt).whenComplete((token, failure) -> {
            if (failure != null) {
                log.debug("Extending lock '{}' failed", block.title, failure);
            } else if (token.isPresent()) {
                cohort.extended(block, token.getAsLong(), policy.limit(), passedAt);
            }
        });
    }

    /** Who holds a lock: the store knows only who was the first of a process. */
    @Nullable
    public LockHolder holder(LockName name, @Nullable LockHolder known) {
        Cohort cohort = known == null ? null : cohorts.get(name);
        if (known == null || cohort == null || !cohort.isKnownBy(known.fencingToken())) {
            return known;
        }
        LockHolder present = cohort.presentHolder(time.nanoTime());
        return present == null ? known : present;
    }

    /** What the store knows of a lock, with who holds it now, and who waits for it, in this process. */
    public LockState seen(LockName name, LockState known, int waiters) {
        Cohort cohort = cohorts.get(name);
        if (cohort == null) {
            return known;
        }
        Optional<LockHolder> holder =
                Optional.ofNullable(holder(name, known.holder().orElse(null)));
        List<LockWaiter> own = cohort.waiters(time.nanoTime());
        String standing = cohort.standsAs();
        List<LockWaiter> all = new ArrayList<>(known.waiters());
        int place = all.size();
        for (int i = 0; i < place; i++) {
            if (all.get(i).owner().equals(standing)) {
                all.remove(i);
                place = i;
            }
        }
        all.addAll(place, own);
        long others = standing == null ? known.waiting() : Math.max(0, known.waiting() - 1);
        List<LockWaiter> named = all.subList(0, Math.min(waiters, all.size()));
        return new LockState(known.namespace(), known.name(), holder, named, others + own.size());
    }

    private Claim open(Cohort cohort, Claim first) {
        // as the first of them, but without a bound
        AcquisitionSpec spec = new AcquisitionSpec(
                first.names, first.owner, first.label, first.leaseNanos(), first.renewed, 0, true, false);
        Claim block =
                new Claim(ids.get(), spec.waiting(false, 0, first.recheck), time.nanoTime(), cohort, policy.limit());
        claims.put(block.id, block);
        block.settled.thenAccept(settled -> {
            if (settled == Outcome.GRANTED) {
                granted(cohort, block);
            } else {
                refused(cohort, block);
            }
        });
        block.lost.thenRun(() -> lost(cohort, block));
        return block;
    }

    /** On any thread, also that of the subscription. */
    private void granted(Cohort cohort, Claim block) {
        Cohort.Step step = cohort.granted(block, time.nanoTime());
        Claim member = step.granted();
        if (member != null) {
            member.settled.complete(Outcome.GRANTED);
        } else if (step.ended() != null) {
            forgetClosed(cohort, block);
            giveBack(block);
        }
    }

    /** Nobody wants it any more. It is over at once: who stops waits for what is about to be ended. */
    private void giveBack(Claim block) {
        Grant grant = block.grant();
        if (grant != null && leases.release(block, grant)) {
            executors.onAsker(0, () -> ends.end(block));
        }
    }

    private void lost(Cohort cohort, Claim block) {
        Cohort.Step step = cohort.lost(block, time.nanoTime());
        forgetClosed(cohort, block);
        Claim member = step.lost();
        if (member != null) {
            claims.remove(member.id);
            leases.lostWith(member, block);
        }
        Claim next = step.asked();
        if (next != null) {
            executors.onAsker(0, () -> ask(next));
        }
    }

    private void refused(Cohort cohort, Claim block) {
        List<Claim> members = cohort.refused(block);
        if (members.isEmpty()) {
            return;
        }
        forgetClosed(cohort, block);
        for (Claim member : members) {
            member.refused(block.failure());
            member.settled.complete(Outcome.FAILED);
        }
        if (block.giveUp(time.nanoTime())) {
            executors.onAsker(0, () -> abandon(block));
        }
    }

    private void ask(@Nullable Claim block) {
        if (block != null) {
            dispatcher.begin(block);
        }
    }

    private void abandon(Claim block) {
        block.settled.complete(Outcome.FAILED);
        dispatcher.rechecks().remove(block);
        if (block.mayBeInStore()) {
            ends.end(block);
        } else {
            claims.remove(block.id);
        }
    }

    private void forgetClosed(Cohort cohort, Claim one) {
        if (cohort.isClosed()) {
            cohorts.remove(one.names.get(0), cohort);
        }
    }
}
