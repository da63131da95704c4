package dev.baton.lock.test;

import dev.baton.lock.LockPermits;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process as its store sees it: the commands of the process, and the messages in its inbox. Thread-safe. */
public final class StoreProcess implements AutoCloseable {

    static final long LEASE = 60_000;
    static final Duration RECHECK = Duration.ofSeconds(10);

    static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);

    /**
     * A message in the inbox.
     *
     * @param what {@code granted}, {@code revoked} or {@code wanted}
     * @param names the locks
     * @param id the id of the request
     * @param token the fencing token; 0 if the lock is wanted
     * @param number the number of the grant, which is the token unless the request shares a lock
     */
    public record Told(String what, List<LockName> names, String id, long token, long number) {

        /** Creates a message about a request that shares no lock. */
        public Told(String what, List<LockName> names, String id, long token) {
            this(what, names, id, token, token);
        }
    }

    final LockStore store;
    final String instance;
    final Queue<Told> told = new ConcurrentLinkedQueue<>();
    /** The requests by their id, which an end has to describe again. */
    private final Map<String, Request> asked = new ConcurrentHashMap<>();

    StoreProcess(LockStore store, String instance) {
        this.store = store;
        this.instance = instance;
        store.start(instance, new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                told.add(new Told("granted", names, id, token));
            }

            @Override
            public void granted(List<LockName> names, String id, long token, long number) {
                told.add(new Told("granted", names, id, token, number));
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                told.add(new Told("revoked", names, id, token));
            }

            @Override
            public void wanted(LockName name, String id) {
                told.add(new Told("wanted", List.of(name), id, 0));
            }

            @Override
            public void listening() {
                // asked of the store instead
            }
        });
    }

    /** Returns the store of the process. */
    public LockStore store() {
        return store;
    }

    /** Returns the instance that the store was started with. */
    public String instance() {
        return instance;
    }

    /** Returns the messages that were received, in their order. The caller may remove messages. */
    public Queue<Told> told() {
        return told;
    }

    Request tries(int number) {
        return request(number, Kind.TRY, LEASE, -1);
    }

    Request waits(int number) {
        return request(number, Kind.MESSAGE, LEASE, -1);
    }

    Request polls(int number) {
        return request(number, Kind.POLL, LEASE, -1);
    }

    /** A reader that waits. */
    Request reads(LockName name, int number) {
        return waits(number).sharing(Set.of(name));
    }

    /** A request for permits that waits, and that other requests must not pass. */
    Request takes(LockName semaphore, int number, int count, int size) {
        return request(number, Kind.MESSAGE, LEASE, -1, 0).taking(semaphore, new LockPermits(size, count));
    }

    Request request(int number, Kind kind, long leaseMillis, long patienceMillis) {
        return request(number, kind, leaseMillis, patienceMillis, 1_000);
    }

    Request request(int number, Kind kind, long leaseMillis, long patienceMillis, long passMillis) {
        return new Request(
                id(number),
                kind,
                leaseMillis,
                patienceMillis,
                passMillis,
                "owner " + id(number),
                "label " + id(number));
    }

    /** The same with so many tokens for others of its process. */
    static Request reserving(Request request, int reserve) {
        return new Request(
                request.id(),
                request.kind(),
                request.leaseMillis(),
                request.patienceMillis(),
                request.passMillis(),
                request.owner(),
                request.label(),
                reserve,
                request.shared(),
                request.permits(),
                request.condition(),
                request.awaits());
    }

    String id(int number) {
        return instance + ":" + number;
    }

    AcquireReply acquire(LockName name, Request... requests) {
        return acquire(List.of(name), RECHECK, requests);
    }

    AcquireReply acquire(List<LockName> names, Duration recheck, Request... requests) {
        for (Request request : requests) {
            remember(request);
        }
        return answer(store.acquire(new AcquireCommand(names, List.of(requests), recheck, TIMEOUT)));
    }

    /** Remembers a request for its end. A request that has waited may be in a queue, whatever its later kind is. */
    private void remember(Request request) {
        asked.merge(request.id(), request, (known, next) -> next.kind() == Kind.TRY ? known : next);
    }

    EndReply end(LockName name, int number) {
        return end(List.of(name), number, 0, 0);
    }

    EndReply end(List<LockName> names, int number, long keepMillis, long markMillis) {
        return answer(
                store.end(new EndCommand(names, id(number), asked.get(id(number)), keepMillis, markMillis, TIMEOUT)));
    }

    ExchangeReply exchange(LockName name, int number, long markMillis, Request next) {
        remember(next);
        return answer(store.exchange(new ExchangeCommand(
                new EndCommand(List.of(name), id(number), asked.get(id(number)), 0, markMillis, TIMEOUT),
                new AcquireCommand(List.of(name), List.of(next), RECHECK, TIMEOUT))));
    }

    ForceAcquireReply force(List<LockName> names, long expected, Request request) {
        remember(request);
        AcquireCommand acquire = new AcquireCommand(names, List.of(request), RECHECK, TIMEOUT);
        return answer(store.forceAcquire(new ForceAcquireCommand(acquire, expected)));
    }

    int tellHolders(LockName name) {
        return answer(store.tellHolders(name, TIMEOUT));
    }

    DowngradeReply downgrade(LockName name, int number, Request reader) {
        remember(reader);
        return answer(store.downgrade(new DowngradeCommand(name, id(number), reader, 60_000, TIMEOUT, null)));
    }

    /** A request that awaits this condition. */
    Request awaits(String condition, int number) {
        return waits(number).at(condition, true);
    }

    /** Lets a holder await a condition by another request. */
    AwaitReply await(LockName name, int number, Request waiter) {
        asked.put(waiter.id(), waiter);
        return answer(store.await(new AwaitCommand(name, id(number), waiter, RECHECK, 60_000, TIMEOUT, null)));
    }

    /** Signals requests of any owner, as the request with this number, or as none if it is 0. */
    SignalReply signal(LockName name, int number, String condition, int most) {
        return signal(name, number == 0 ? "" : id(number), condition, most, "");
    }

    SignalReply signal(LockName name, String id, String condition, int most, String owner) {
        return answer(store.signal(new SignalCommand(name, id, condition, most, owner, TIMEOUT)));
    }

    /** Ends a request whose caller took its lock, and which passes no signal on. */
    EndReply endTaken(LockName name, int number) {
        return end(name, waits(number));
    }

    /** Ends a request. One with a condition passes its signal on. */
    EndReply end(LockName name, Request request) {
        return answer(store.end(new EndCommand(List.of(name), request.id(), request, 0, 0, TIMEOUT)));
    }

    /** Those of the names that the request does not hold any more. */
    List<LockName> renew(List<LockName> names, int number, long leaseMillis) {
        return answer(store.renew(
                        new RenewCommand(List.of(new RenewCommand.Renewal(names, id(number), leaseMillis)), TIMEOUT)))
                .get(0);
    }

    ExtendReply extend(LockName name, int number, long leaseMillis, int reserve) {
        return answer(store.extend(new ExtendCommand(name, id(number), leaseMillis, reserve, TIMEOUT)));
    }

    static <T> T answer(CompletableFuture<T> future) {
        try {
            return future.get(10, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an answer", ex);
        } catch (ExecutionException | TimeoutException ex) {
            throw new AssertionError("no answer: " + ex, ex);
        }
    }

    /** Stops the store. */
    @Override
    public void close() {
        store.stop();
    }
}
