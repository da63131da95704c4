package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Three processes, one of them deaf, and all answers and messages that a store sends to them. */
final class StoreRun implements AutoCloseable {

    private static final LockName ONE = new LockName("", "x.1");
    private static final LockName TWO = new LockName("", "x.2");

    /** The targets of a request. The last is used only if several names are allowed. */
    static final List<List<LockName>> LOCKS = List.of(List.of(ONE), List.of(TWO), List.of(ONE, TWO));

    private static final Duration BRIEF_RECHECK = Duration.ofSeconds(1);
    private static final Duration OVER = Duration.ofSeconds(5);
    private static final long PASS_MILLIS = 60_000;
    private static final int RESERVE = 5;

    private final StoreHost host;
    private final List<StoreProcess> processes;
    /** Entries of the log. Tokens are numbers, everything else is text. */
    private final List<List<Object>> log = new ArrayList<>();

    StoreRun(StoreHost host) {
        this.host = host;
        this.processes = List.of(host.start("a", true), host.start("b", true), host.start("deaf", false));
    }

    /** Returns the log, with each token replaced by its rank. */
    List<String> run(List<StoreStep> steps) {
        host.clear();
        log.clear();
        processes.forEach(process -> process.told.clear());
        for (StoreStep step : steps) {
            log.add(carryOut(step));
            host.tick();
        }
        for (StoreProcess process : processes) {
            host.settle(process);
            for (Told told : inOrder(process.told)) {
                log.add(List.of(
                        process.instance, told.what(), names(told.names()), told.id(), told.token(), told.number()));
            }
        }
        List<Long> tokens = new ArrayList<>(log.stream()
                .flatMap(List::stream)
                .filter(Long.class::isInstance)
                .map(Long.class::cast)
                .collect(Collectors.toCollection(TreeSet::new)));
        return log.stream()
                .map(entry -> entry.stream()
                        .map(part -> part instanceof Long token ? "#" + tokens.indexOf(token) : part.toString())
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    /** Returns the messages in their order. The readers of one lock are told of its loss in any order. */
    private static List<Told> inOrder(Collection<Told> all) {
        List<Told> sorted = new ArrayList<>();
        for (Told told : all) {
            int at = sorted.size();
            while (at > 0
                    && isRevoked(told)
                    && isRevoked(sorted.get(at - 1))
                    && sorted.get(at - 1).id().compareTo(told.id()) > 0
                    && sorted.get(at - 1).number() == told.number()) {
                at--;
            }
            sorted.add(at, told);
        }
        return sorted;
    }

    private static boolean isRevoked(Told told) {
        return told.what().equals("revoked");
    }

    private List<Object> carryOut(StoreStep step) {
        if (step instanceof StoreStep.Acquire acquire) {
            StoreProcess process = processes.get(acquire.process());
            Request[] requests = acquire.requests().stream()
                    .map(asked -> request(process, acquire.locks(), asked.number(), asked.kind(), -1))
                    .toArray(Request[]::new);
            return told(process.acquire(LOCKS.get(acquire.locks()), StoreProcess.RECHECK, requests));
        } else if (step instanceof StoreStep.AcquireBriefly brief) {
            return acquireBriefly(brief);
        } else if (step instanceof StoreStep.End end) {
            int number = number(end.locks(), end.number());
            return told(processes.get(end.process()).end(LOCKS.get(end.locks()), number, 0, end.marked() ? 60_000 : 0));
        } else if (step instanceof StoreStep.Exchange exchange) {
            StoreProcess process = processes.get(exchange.process());
            ExchangeReply reply = process.exchange(
                    LOCKS.get(exchange.lock()).get(0),
                    number(exchange.lock(), exchange.number()),
                    exchange.marked() ? 60_000 : 0,
                    request(process, exchange.lock(), exchange.next(), exchange.kind(), -1));
            List<Object> entry = new ArrayList<>(
                    List.of("exchanged", reply.ended().role(), reply.ended().handedTo()));
            entry.addAll(told(reply.acquired()));
            return entry;
        } else if (step instanceof StoreStep.Downgrade downgrade) {
            return told(downgrade, processes.get(downgrade.process()));
        } else if (step instanceof StoreStep.OfCondition) {
            return atCondition(step);
        } else if (step instanceof StoreStep.Renew renew) {
            return List.of(
                    "missing",
                    names(processes
                            .get(renew.process())
                            .renew(
                                    LOCKS.get(renew.locks()),
                                    number(renew.locks(), renew.number()),
                                    renew.leaseMillis())));
        } else if (step instanceof StoreStep.Extend extend) {
            LockName name = LOCKS.get(extend.lock()).get(0);
            int number = number(extend.lock(), extend.number());
            return told(processes.get(extend.process()).extend(name, number, extend.leaseMillis(), RESERVE));
        } else if (step instanceof StoreStep.ForceRelease force) {
            return told(StoreProcess.answer(processes
                            .get(0)
                            .store
                            .administration()
                            .forceRelease(LOCKS.get(force.lock()).get(0), StoreProcess.TIMEOUT))
                    .holder());
        } else if (step instanceof StoreStep.Expire expire) {
            host.expire(LOCKS.get(expire.lock()).get(0));
            return List.of("expired");
        }
        StoreStep.Inspect inspect = (StoreStep.Inspect) step;
        return told(StoreProcess.answer(processes
                .get(0)
                .store
                .administration()
                .inspect(LOCKS.get(inspect.lock()).get(0), 2, StoreProcess.TIMEOUT)));
    }

    private List<Object> atCondition(StoreStep step) {
        if (step instanceof StoreStep.Await await) {
            StoreProcess process = processes.get(await.process());
            LockName name = LOCKS.get(await.lock()).get(0);
            Request waiter = awaiting(process, await.lock(), await.number(), Kind.MESSAGE, true);
            AwaitReply reply = process.await(name, number(await.lock(), await.number()), waiter);
            return List.of(
                    "awaits " + reply.awaits() + " deaf " + reply.unsubscribed(), reply.handedTo(), reply.mark());
        } else if (step instanceof StoreStep.AtCondition at) {
            StoreProcess process = processes.get(at.process());
            Request waiter = awaiting(process, at.lock(), at.number(), at.kind(), at.awaits());
            AcquireReply reply = process.acquire(LOCKS.get(at.lock()), StoreProcess.RECHECK, waiter);
            List<Object> entry = new ArrayList<>(told(reply));
            entry.add(reply.conditions());
            return entry;
        } else if (step instanceof StoreStep.EndAtCondition end) {
            StoreProcess process = processes.get(end.process());
            LockName name = LOCKS.get(end.lock()).get(0);
            Request waiter = awaiting(process, end.lock(), end.number(), Kind.MESSAGE, false);
            return told(process.end(name, end.taken() ? waiter.at("", false) : waiter));
        }
        StoreStep.Signal signal = (StoreStep.Signal) step;
        StoreProcess process = processes.get(signal.process());
        LockName name = LOCKS.get(signal.lock()).get(0);
        String id = signal.number() == 0 ? "" : process.id(number(signal.lock(), signal.number()));
        String owner = signal.toOwner() ? "owner " + process.id(number(signal.lock(), 1 + StoreStep.AWAITED)) : "";
        SignalReply reply = process.signal(name, id, signal.condition(), signal.most(), owner);
        return List.of(reply.permitted() + " signalled " + reply.signalled());
    }

    /** A request always awaits the same condition. */
    private static Request awaiting(StoreProcess process, int lock, int number, Kind kind, boolean awaits) {
        return request(process, lock, number + StoreStep.AWAITED, kind, -1).at(number == 3 ? "d" : "c", awaits);
    }

    private List<Object> acquireBriefly(StoreStep.AcquireBriefly brief) {
        StoreProcess process = processes.get(brief.process());
        List<LockName> names = LOCKS.get(brief.locks());
        List<Object> answer;
        if (brief.givesUp()) {
            int number = brief.number() + StoreStep.GIVE_UP;
            Request request = request(process, brief.locks(), number, Kind.MESSAGE, 1);
            answer = told(process.acquire(names, StoreProcess.RECHECK, request));
        } else {
            // the span of a process counts from this recheck, and not from an earlier one
            host.age(OVER);
            Request request = request(process, brief.locks(), brief.number(), Kind.MESSAGE, -1);
            answer = told(process.acquire(names, BRIEF_RECHECK, request));
        }
        host.age(OVER);
        return answer;
    }

    /**
     * For several names, one in three requests may never be passed, and the others may be passed during the whole run.
     */
    private static Request request(StoreProcess process, int locks, int number, Kind kind, long patienceMillis) {
        Request request = process.request(
                number(locks, number), kind, StoreProcess.LEASE, patienceMillis, number == 3 ? 0 : PASS_MILLIS);
        int writer = number > StoreStep.GIVE_UP ? number - StoreStep.GIVE_UP : number;
        if (writer >= StoreStep.READER && number <= StoreStep.AWAITED) {
            List<LockName> shared = LOCKS.get(locks);
            return request.sharing(Set.copyOf(writer == StoreStep.READER ? shared : shared.subList(0, 1)));
        }
        return number == 2 ? StoreProcess.reserving(request, RESERVE) : request;
    }

    private static List<Object> told(StoreStep.Downgrade downgrade, StoreProcess process) {
        LockName name = LOCKS.get(downgrade.lock()).get(0);
        int number = number(downgrade.lock(), downgrade.number());
        DowngradeReply reply = process.downgrade(name, number, process.reads(name, number + StoreStep.DOWNGRADED));
        List<Object> entry = new ArrayList<>(List.of("downgraded", reply.incomplete(), reply.handedTo()));
        reply.token().ifPresent(entry::add);
        return entry;
    }

    /** Requests for different locks never have the same id. */
    private static int number(int locks, int number) {
        return 20 * locks + number;
    }

    private static List<Object> told(AcquireReply reply) {
        List<Object> entry = new ArrayList<>(List.of("more " + reply.incomplete() + " deaf " + reply.unsubscribed()));
        for (AcquireReply.Answer answer : reply.answers()) {
            if (answer instanceof Granted granted) {
                entry.addAll(List.of("granted", granted.token(), granted.again(), granted.number()));
            } else if (answer instanceof Busy busy) {
                entry.addAll(List.of("busy", busy.mark()));
                entry.addAll(told(busy.holder()));
            } else {
                entry.add("over");
            }
        }
        return entry;
    }

    private static List<Object> told(EndReply reply) {
        List<Object> entry = new ArrayList<>(
                List.of("ended", reply.role(), names(reply.missing()), reply.incomplete(), reply.handedTo()));
        reply.token().ifPresent(entry::add);
        return entry;
    }

    private static List<Object> told(ExtendReply reply) {
        List<Object> entry = new ArrayList<>(List.of("extended", reply.held()));
        reply.token().ifPresent(entry::add);
        return entry;
    }

    private static List<Object> told(LockState state) {
        List<Object> entry = new ArrayList<>(told(state.holder().orElse(null)));
        entry.add(state.waiting() + " wait");
        state.waiters().stream().map(LockWaiter::owner).forEach(entry::add);
        state.readers().stream().map(LockHolder::owner).sorted().forEach(entry::add);
        return entry;
    }

    private static List<Object> told(@Nullable LockHolder holder) {
        return holder == null
                ? List.of("no holder")
                : Arrays.asList("held by", reader(holder.owner()), reader(holder.label()), holder.fencingToken());
    }

    /** Of several readers, the last is shown. Which of them that is depends on the clock. */
    private static String reader(String text) {
        int number = Integer.parseInt(text.replaceFirst(".*:", "")) % 20;
        boolean shares = number > StoreStep.DOWNGRADED && number <= StoreStep.AWAITED
                || number <= StoreStep.DOWNGRADED
                        && (number > StoreStep.GIVE_UP ? number - StoreStep.GIVE_UP : number) >= StoreStep.READER;
        return shares ? "a reader" : text;
    }

    private static String names(List<LockName> names) {
        return names.stream().map(LockName::name).sorted().toList().toString();
    }

    @Override
    public void close() {
        processes.forEach(StoreProcess::close);
        host.close();
    }
}
