package dev.baton.lock.engine.cohort;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Taking;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.ticket.TicketHolder;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the acquisitions of this process for one lock share a ticket, and passes the lock on among them without a command.
 * Waits for no answer, except where the calling thread waits for it right away, and says so. Thread-safe.
 *
 * <p>An acquisition asks by a ticket of its own if it asks for several locks, shares its lock, only tries, polls, has a
 * stall time, takes its lock from the holder, or wants another lease than the waiting members.
 */
public final class CohortRegistry {

    private static final Logger log = LoggerFactory.getLogger(CohortRegistry.class);

    private final ConcurrentHashMap<LockName, Cohort> cohorts = new ConcurrentHashMap<>();

    private final RequestRegistry registry;
    private final CohortPolicy policy;
    private final LockStore store;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final AcquireDispatcher dispatcher;
    private final LeaseMonitor leases;
    private final EndDispatcher ends;

    public CohortRegistry(
            RequestRegistry registry,
            CohortPolicy policy,
            LockStore store,
            EngineExecutors executors,
            TimeSource time,
            AcquireDispatcher dispatcher,
            LeaseMonitor leases,
            EndDispatcher ends) {
        this.registry = registry;
        this.policy = policy;
        this.store = store;
        this.executors = executors;
        this.time = time;
        this.dispatcher = dispatcher;
        this.leases = leases;
        this.ends = ends;
    }

    /**
     * Begins the wait of an acquisition, which may be refused at once.
     *
     * @param awaited whether the calling thread waits for the grant right away
     */
    public void begin(Acquisition acquisition, boolean awaited) {
        WaitingCaller caller = awaited ? caller(acquisition) : null;
        if (!join(acquisition, caller)) {
            dispatcher.begin(registry.ticket(acquisition), caller);
        }
    }

    /** Describes the calling thread, which waits for this acquisition only, however long its ticket waits. */
    private WaitingCaller caller(Acquisition acquisition) {
        AcquisitionSpec spec = acquisition.spec();
        long wait = spec.unbounded() ? Long.MAX_VALUE : acquisition.deadline() - time.nanoTime();
        return new WaitingCaller(wait, spec.interruptible());
    }

    /**
     * Returns {@code false} if the acquisition has to ask alone.
     *
     * @param caller the calling thread, or {@code null} if this thread does not wait for the grant right away
     */
    private boolean join(Acquisition acquisition, @Nullable WaitingCaller caller) {
        AcquisitionSpec spec = acquisition.spec();
        if (policy.isOff() || spec.names().size() > 1 || spec.taking() == Taking.AT_ONCE) {
            return false;
        }
        LockName name = spec.names().get(0);
        if (spec.tries()) {
            return refuse(acquisition, cohorts.get(name));
        }
        if (!spec.queues()
                || spec.stallNanos() != 0
                || !spec.shared().isEmpty()
                || !store.traits().reservesTokens()) {
            return false;
        }
        while (true) {
            Cohort cohort = cohort(name, spec);
            if (!cohort.suits(spec)) {
                return false;
            }
            Cohort.Step step = cohort.join(acquisition);
            if (step != null) {
                ask(step.asked(), caller);
                return true;
            }
            cohorts.remove(name, cohort);
        }
    }

    /** Returns the cohort of a lock, or a new one for the first of its members. */
    private Cohort cohort(LockName name, AcquisitionSpec first) {
        Cohort known = cohorts.get(name);
        if (known != null) {
            return known;
        }
        Cohort fresh = new Cohort(policy, this::newTicket, first);
        Cohort another = cohorts.putIfAbsent(name, fresh);
        return another == null ? fresh : another;
    }

    /**
     * Refuses a try without asking, if the lock is held by a member of the cohort, or members wait for it in vain. Returns
     * {@code false} if the try has to ask.
     */
    private static boolean refuse(Acquisition tried, @Nullable Cohort cohort) {
        if (cohort == null || !cohort.isContended() || cohort.failure() != null) {
            return false;
        }
        tried.waitsIn(cohort, true);
        tried.settle(Outcome.REFUSED);
        return true;
    }

    /** Ends the wait of an acquisition that was given up. */
    public void left(Acquisition acquisition) {
        registry.forget(acquisition);
        if (acquisition.status() instanceof Cohort cohort) {
            Ticket unwanted = cohort.left(acquisition).ended();
            forgetClosed(cohort, acquisition.names());
            if (unwanted != null) {
                dispatcher.giveUp(unwanted);
            }
        } else {
            dispatcher.giveUp(acquisition.ticket());
        }
    }

    /**
     * Passes on the lock of an acquisition that was released, or ends its ticket. The answer is as that of {@link
     * EndDispatcher#end(Ticket)}.
     *
     * @param awaited whether the calling thread waits for the answer right away
     */
    public CompletableFuture<@Nullable EndReply> end(Acquisition acquisition, boolean awaited) {
        registry.forget(acquisition);
        return acquisition.status() instanceof Cohort cohort
                ? passOrEnd(cohort, acquisition, awaited, time.nanoTime())
                : endAlone(acquisition, awaited);
    }

    /**
     * Takes a member that becomes a reader out of its cohort, whose members that wait need another ticket. Returns that
     * ticket, or {@code null} if none is needed. The caller {@linkplain #ask asks} by it.
     */
    public @Nullable Ticket leaves(Acquisition acquisition) {
        if (!(acquisition.status() instanceof Cohort cohort)) {
            return null;
        }
        Ticket next = cohort.leaves(acquisition, time.nanoTime()).asked();
        forgetClosed(cohort, acquisition.names());
        return next;
    }

    /** Lets the members that wait ask by another ticket, if there is one. */
    public void ask(@Nullable Ticket next) {
        ask(next, null);
    }

    private CompletableFuture<@Nullable EndReply> endAlone(Acquisition acquisition, boolean awaited) {
        Ticket ticket = acquisition.ticket();
        Grant grant = ticket.grant();
        if (grant == null || !leases.release(ticket, grant)) {
            // lost at this very moment
            acquisition.lost(ticket);
        }
        return ends.end(ticket, awaited);
    }

    private CompletableFuture<@Nullable EndReply> passOrEnd(
            Cohort cohort, Acquisition member, boolean awaited, long now) {
        Cohort.Step step = cohort.released(member, now);
        Ticket held = member.ticket();
        Acquisition granted = step.granted();
        if (granted != null) {
            granted.settle(Outcome.GRANTED);
            extend(cohort, step.extended(), now);
            return CompletableFuture.completedFuture(
                    new EndReply(EndReply.Role.HOLDER, List.of(), false, false, List.of(held.id())));
        }
        forgetClosed(cohort, member.names());
        Grant grant = held.grant();
        boolean kept = grant != null && grant.keepMillis(now) > 0;
        if (grant != null) {
            leases.release(held, grant);
        }
        Ticket next = step.asked();
        if (next != null && !kept) {
            return dispatcher.exchange(held, next, awaited);
        }
        // the members that wait must not wait for this answer as well
        CompletableFuture<@Nullable EndReply> ended = ends.end(held, awaited && next == null);
        ask(next, null);
        return ended;
    }

    /**
     * Extends a ticket while the next member already works. A ticket that is not extended in time ends as if the store
     * had not been asked.
     *
     * @param passedAt when the lock was passed on; the lease of its holder must not be longer than its own
     */
    private void extend(Cohort cohort, @Nullable Ticket ticket, long passedAt) {
        Grant grant = ticket == null ? null : ticket.grant();
        if (ticket == null || grant == null) {
            return;
        }
        long passing = policy.longest(ticket.leaseNanos());
        leases.renewer()
                .extend(ticket, grant, policy.limit(), passing, passedAt)
                .whenComplete((token, failure) -> {
                    if (failure != null) {
                        log.debug("Extending lock '{}' failed", ticket.title(), failure);
                    } else if (token.isPresent()) {
                        cohort.extended(ticket, token.getAsLong(), policy.limit(), passedAt);
                    }
                });
    }

    /** Returns the holder of a lock. The store knows only the first holder of a process. */
    @Nullable
    public LockHolder holder(LockName name, @Nullable LockHolder known) {
        Cohort cohort = known == null ? null : cohorts.get(name);
        if (known == null || cohort == null || !cohort.isKnownBy(known.fencingToken())) {
            return known;
        }
        LockHolder present = cohort.presentHolder(time.nanoTime());
        return present == null ? known : present;
    }

    /** Adds the holder and the waiters of this process to what the store knows of a lock. */
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
        return new LockState(known.namespace(), known.name(), holder, named, others + own.size(), known.readers());
    }

    /** Creates a ticket that asks as the member does, but without a bound. */
    private Ticket newTicket(Cohort cohort, Acquisition first) {
        AcquisitionSpec spec = first.spec().withoutBound();
        return registry.ticket(spec, time.nanoTime(), new Members(cohort), policy.limit());
    }

    /** The members of a cohort as the holder of its tickets. */
    private final class Members implements TicketHolder {

        private final Cohort cohort;

        Members(Cohort cohort) {
            this.cohort = cohort;
        }

        @Override
        public boolean granted(Ticket ticket) {
            Cohort.Step step = cohort.granted(ticket, time.nanoTime());
            Acquisition member = step.granted();
            if (member != null) {
                member.settle(Outcome.GRANTED);
            } else {
                forgetClosed(cohort, ticket.names());
            }
            return step.ended() == null;
        }

        @Override
        public void failed(Ticket ticket, Outcome outcome) {
            List<Acquisition> members = cohort.refused(ticket);
            if (members.isEmpty()) {
                return;
            }
            forgetClosed(cohort, ticket.names());
            members.forEach(member -> member.failed(ticket, outcome));
            executors.onAsker(0, () -> dispatcher.giveUp(ticket));
        }

        @Override
        public void lost(Ticket ticket) {
            Cohort.Step step = cohort.lost(ticket, time.nanoTime());
            forgetClosed(cohort, ticket.names());
            Acquisition member = step.lost();
            if (member != null) {
                member.lost(ticket);
            }
            Ticket next = step.asked();
            if (next != null) {
                executors.onAsker(0, () -> ask(next, null));
            }
        }

        @Override
        public @Nullable Acquisition holding(Ticket ticket) {
            return cohort.holding(ticket);
        }

        @Override
        public List<Acquisition> waiting(Ticket ticket) {
            return cohort.waiting();
        }
    }

    private void ask(@Nullable Ticket ticket, @Nullable WaitingCaller caller) {
        if (ticket != null) {
            dispatcher.begin(ticket, caller);
        }
    }

    private void forgetClosed(Cohort cohort, List<LockName> names) {
        if (cohort.isClosed()) {
            cohorts.remove(names.get(0), cohort);
        }
    }
}
