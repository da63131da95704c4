package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLimitException;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The open requests of one engine: its acquisitions, and the tickets by which they ask. Thread-safe. */
public final class RequestRegistry {

    /** How many tickets a lost lease looks at: a process that loses very many leases at once must not pay for all pairs. */
    static final int MOST_LOOKED_AT = 10_000;

    private final String prefix;
    private final WaiterLimit limit;
    private final AtomicLong sequence = new AtomicLong();
    /** The acquisitions without a ticket of their own. The others are found by their tickets. */
    private final Set<Acquisition> unticketed = ConcurrentHashMap.newKeySet();

    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();

    /**
     * Creates the registry.
     *
     * @param instance the secret that the ids of all tickets begin with
     * @param maxWaiters how many requests may wait at a time
     */
    public RequestRegistry(String instance, int maxWaiters) {
        this.prefix = instance + ":";
        this.limit = new WaiterLimit(maxWaiters);
    }

    /**
     * Lists an acquisition until it is over and {@link #forget(Acquisition) forgotten}.
     *
     * @throws LockLimitException if the maximum number of requests already waits
     */
    public void add(Acquisition acquisition) {
        limit.enter(acquisition);
        unticketed.add(acquisition);
    }

    /** Returns the number of requests that wait or have not been answered yet. */
    public int waiters() {
        return limit.count();
    }

    /** Forgets an acquisition that is over. Its ticket may still have to be passed on or ended. */
    public void forget(Acquisition acquisition) {
        unticketed.remove(acquisition);
    }

    /** Creates the ticket of an acquisition that asks alone. */
    public Ticket ticket(Acquisition acquisition) {
        Ticket ticket = ticket(acquisition.spec(), acquisition.askedAt(), acquisition, 0);
        acquisition.asksBy(ticket);
        // in this order: an acquisition that waits is found all the time
        unticketed.remove(acquisition);
        return ticket;
    }

    /**
     * Creates a ticket, which is listed until it is {@link #forget(Ticket) forgotten}.
     *
     * @param reserve for how many passes a grant reserves tokens
     */
    public Ticket ticket(AcquisitionSpec spec, long askedAt, TicketHolder holder, int reserve) {
        Ticket ticket = new Ticket(prefix + sequence.incrementAndGet(), spec, askedAt, holder, reserve);
        tickets.put(ticket.id(), ticket);
        return ticket;
    }

    /** Creates the ticket of a reader that replaces a writer. */
    public Ticket reader(Acquisition writer, long now) {
        AcquisitionSpec spec = writer.spec().sharing(Set.copyOf(writer.names()));
        return ticket(spec, now, writer, 0);
    }

    /** Forgets a ticket that the store does not know, or no longer knows. */
    public void forget(Ticket ticket) {
        tickets.remove(ticket.id());
    }

    /** Returns the ticket with this id, or {@code null} if there is none. */
    public @Nullable Ticket find(String id) {
        return tickets.get(id);
    }

    /** Returns whether an id was created by this registry. */
    public boolean isOurs(String id) {
        return id.startsWith(prefix);
    }

    /**
     * Returns the first holder of one of these locks after the grant with this token, as far as a request of this
     * process was granted the lock or has found a holder in its way. Returns {@code null} if none was seen. Looks at up
     * to {@link #MOST_LOOKED_AT} tickets, so it is for losses only, and only a hint.
     */
    @Nullable
    LockHolder nextHolder(List<LockName> names, long token, long now) {
        LockHolder first = null;
        int looks = 0;
        for (Ticket ticket : tickets.values()) {
            if (++looks > MOST_LOOKED_AT) {
                break;
            }
            LockHolder later = Collections.disjoint(ticket.names(), names) ? null : ticket.holderAfter(token, now);
            if (later != null && (first == null || later.fencingToken() < first.fencingToken())) {
                first = later;
            }
        }
        return first;
    }

    /** Fails all acquisitions that wait. */
    public void failAll() {
        acquisitions().forEach(Acquisition::fail);
    }

    /** Returns the number of requests that the store may know: waiting, held, or not ended yet. */
    public int size() {
        long waitingOrHeld = acquisitions().count();
        long ending = tickets.values().stream().filter(Lifecycle::isOver).count();
        return (int) (waitingOrHeld + ending);
    }

    /** Returns the number of acquisitions that have their place in a queue. */
    public int placed() {
        return (int) acquisitions()
                .filter(one -> !one.spec().tries() && !one.isAtCondition() && one.isPlaced())
                .count();
    }

    /** Returns the acquisitions that wait for a lock, except those that ask only once, and those that await a condition first. */
    public List<Acquisition> waiting() {
        return acquisitions()
                .filter(one -> one.isWaiting() && !one.spec().tries() && !one.isAtCondition())
                .toList();
    }

    /** Returns the number of acquisitions that await conditions, as the store has answered. */
    public int awaiting() {
        return (int) acquisitions().filter(Acquisition::awaits).count();
    }

    /** Returns whether an acquisition waits or holds its lock. */
    public boolean isBusy() {
        return acquisitions().findAny().isPresent();
    }

    /**
     * Returns whether a ticket is about to be ended: the ticket waits or was released, or no acquisition holds it. Lost
     * tickets do not count, because their ends are sent later.
     */
    public boolean isEnding() {
        Set<Ticket> held = acquisitions()
                .filter(one -> one.grant() != null)
                .map(Acquisition::ticket)
                .collect(Collectors.toSet());
        return tickets.values().stream()
                .anyMatch(one -> one.isWaitingOrEnding() || one.grant() != null && !held.contains(one));
    }

    /** Returns the acquisitions that wait or hold their lock. */
    private Stream<Acquisition> acquisitions() {
        // one after the other: an acquisition that is given its ticket meanwhile is found by one of the two
        List<Acquisition> found = new ArrayList<>(unticketed);
        tickets.values().forEach(ticket -> ticket.alone().ifPresent(found::add));
        return found.stream().filter(one -> !one.isOver()).distinct();
    }
}
