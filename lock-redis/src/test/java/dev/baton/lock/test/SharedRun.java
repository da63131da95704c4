package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random commands of three processes for one lock, which they read and write. One of the processes is deaf. After each command
 * the run shows the state before and after it to a check.
 */
final class SharedRun implements AutoCloseable {

    static final LockName NAME = new LockName("", "x.1");

    private static final long[] LEASES = {20_000, 60_000, 90_000};
    private static final long BRIEF_MILLIS = 3;
    private static final String DEAF = "deaf";

    /** The steps that hand nothing over, or after which a lease or a waiter of the step is over. */
    private static final Set<String> PASSIVE = Set.of("renew", "expire", "brief", "refused");

    private final StoreHost host;
    private final List<StoreProcess> processes;
    /** The requests that wait or hold the lock, as far as their process knows, by id. */
    private final Map<String, Asked> open = new LinkedHashMap<>();

    private final Map<String, Asked> all = new HashMap<>();
    private Random random = new Random();
    private int asked;
    private View view = View.EMPTY;

    SharedRun(StoreHost host) {
        this.host = host;
        this.processes = List.of(host.start("a", true), host.start("b", true), host.start(DEAF, false));
    }

    /** A request. A brief one waits and holds the lock for a few milliseconds, and no other step follows within them. */
    record Asked(StoreProcess process, int number, boolean writes, boolean brief, Request request) {

        String id() {
            return process.id(number);
        }

        boolean isDeaf() {
            return process.instance.equals(DEAF);
        }
    }

    /** What the store shows: those that hold the lock, those that wait, in their order, and the token of the holders. */
    record View(Map<String, Asked> holders, List<Asked> queue, long token, boolean shared) {

        static final View EMPTY = new View(Map.of(), List.of(), 0, false);

        boolean isFree() {
            return holders.isEmpty();
        }

        boolean waits(Asked one) {
            return queue.contains(one);
        }
    }

    /**
     * One command and what became of it.
     *
     * @param handsOver whether the command grants the lock to those that wait and can have it
     * @param granted the tokens and numbers of the grants that a process learnt, by id
     * @param believed the requests that were granted the lock, and whose lease lasts
     */
    record Step(
            String what,
            boolean handsOver,
            View before,
            View after,
            Map<String, Granted> granted,
            Map<String, Asked> believed) {

        @Override
        public String toString() {
            return what + ": " + text(before) + " --> " + text(after);
        }

        private static String text(View view) {
            return "held by " + view.holders.keySet() + " queue "
                    + view.queue.stream().map(Step::text).toList();
        }

        private static String text(Asked one) {
            return one.id() + (one.writes ? " w" : " r");
        }
    }

    /** Says what is wrong with a step, or {@code null}. */
    interface Check {

        @Nullable
        String violation(Step step);
    }

    /** Carries out so many random steps, and returns them up to the first violation, which is the last; empty if there is none. */
    List<String> run(long seed, int steps, Check check) {
        random = new Random(seed);
        host.clear();
        forgetMessages();
        open.clear();
        all.clear();
        view = View.EMPTY;
        List<String> log = new ArrayList<>();
        Map<String, Asked> believed = new HashMap<>();
        for (int i = 0; i < steps; i++) {
            Map<String, Granted> granted = new HashMap<>();
            String what = step(granted, believed);
            boolean passive = PASSIVE.stream().anyMatch(what::startsWith);
            host.tick();
            for (StoreProcess process : processes) {
                host.settle(process);
                process.told.removeIf(told -> {
                    if (told.what().equals("granted")) {
                        granted.put(told.id(), new Granted(told.token(), false, told.number()));
                    }
                    return true;
                });
            }
            granted.keySet().stream()
                    .map(all::get)
                    .filter(one -> !one.brief && open.containsKey(one.id()))
                    .forEach(one -> believed.put(one.id(), one));
            View after = look();
            Step step = new Step(what, !passive, view, after, granted, Map.copyOf(believed));
            log.add(step.toString());
            String violation = check.violation(step);
            if (violation != null) {
                log.add(violation);
                return log;
            }
            view = after;
        }
        return List.of();
    }

    /** Ends all requests, as their processes do. */
    void endAll() {
        List.copyOf(open.values()).forEach(one -> one.process.end(NAME, one.number));
        open.clear();
    }

    private void forgetMessages() {
        for (StoreProcess process : processes) {
            host.settle(process);
            process.told.clear();
        }
    }

    private String step(Map<String, Granted> granted, Map<String, Asked> believed) {
        Asked known = any();
        int dice = random.nextInt(100);
        if (known == null || dice < 45) {
            return acquire(granted);
        } else if (dice < 58) {
            note(known.process.acquire(NAME, known.request), List.of(known), granted);
            return "repeat " + known.id();
        } else if (dice < 62) {
            known.process.renew(List.of(NAME), known.number, 90_000);
            return "renew " + known.id();
        } else if (dice < 68 && known.writes && !known.brief) {
            Asked reader = asks(known.process, false, false, Kind.MESSAGE);
            OptionalLong token =
                    known.process.downgrade(NAME, known.number, reader.request).token();
            if (token.isEmpty()) {
                return "refused downgrade " + known.id();
            }
            leave(known, believed);
            open.put(reader.id(), reader);
            granted.put(reader.id(), new Granted(token.getAsLong(), false, token.getAsLong()));
            return "downgrade " + known.id() + " to " + reader.id();
        } else if (dice < 74 && known.writes) {
            Asked next = asks(known.process, true, false, Kind.MESSAGE);
            leave(known, believed);
            AcquireReply reply =
                    known.process.exchange(NAME, known.number, 0, next.request).acquired();
            open.put(next.id(), next);
            note(reply, List.of(next), granted);
            return "exchange " + known.id() + " for " + next.id();
        } else if (dice < 76) {
            StoreProcess.answer(processes.get(0).store.administration().forceRelease(NAME, StoreProcess.TIMEOUT));
            believed.clear();
            return "force";
        } else if (dice < 77) {
            host.expire(NAME);
            believed.clear();
            return "expire";
        }
        leave(known, believed);
        // an end whose answer also is the grant of a writer of the same process
        known.process
                .end(List.of(NAME), known.number, 0, random.nextInt(4) == 0 ? 60_000 : 0)
                .handedTo()
                .forEach(id -> granted.putIfAbsent(id, new Granted(0, true, 0)));
        return "end " + known.id();
    }

    private String acquire(Map<String, Granted> granted) {
        StoreProcess process = processes.get(random.nextInt(5) / 2);
        boolean brief = random.nextInt(10) == 0;
        List<Asked> fresh = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            fresh.add(asks(process, random.nextInt(3) == 0, brief, random.nextInt(5) == 0 ? Kind.TRY : Kind.MESSAGE));
        }
        AcquireReply reply =
                process.acquire(NAME, fresh.stream().map(Asked::request).toArray(Request[]::new));
        fresh.stream().filter(one -> !brief).forEach(one -> open.put(one.id(), one));
        note(reply, fresh, granted);
        if (brief) {
            host.pass(Duration.ofMillis(2 * BRIEF_MILLIS));
        }
        return (brief ? "brief " : "acquire ") + fresh.stream().map(Step::text).toList();
    }

    private Asked asks(StoreProcess process, boolean writes, boolean brief, Kind kind) {
        int number = ++asked;
        long lease = brief ? BRIEF_MILLIS : LEASES[random.nextInt(LEASES.length)];
        Request request = process.request(number, kind, lease, brief ? BRIEF_MILLIS : -1);
        Asked one = new Asked(process, number, writes, brief, writes ? request : request.sharing(Set.of(NAME)));
        all.put(one.id(), one);
        return one;
    }

    private void note(AcquireReply reply, List<Asked> asked, Map<String, Granted> granted) {
        for (int i = 0; i < asked.size(); i++) {
            Asked one = asked.get(i);
            if (reply.answers().get(i) instanceof Granted grant) {
                granted.put(one.id(), grant);
            } else if (one.request.kind() == Kind.TRY) {
                open.remove(one.id());
            }
        }
    }

    private void leave(Asked one, Map<String, Asked> believed) {
        open.remove(one.id());
        believed.remove(one.id());
    }

    private @Nullable Asked any() {
        List<Asked> known = List.copyOf(open.values());
        return known.isEmpty() ? null : known.get(random.nextInt(known.size()));
    }

    /** A brief request that waits is over when it is seen. */
    private View look() {
        LockState state =
                StoreProcess.answer(processes.get(0).store.administration().inspect(NAME, 1_000, StoreProcess.TIMEOUT));
        List<LockHolder> holders =
                state.isShared() ? state.readers() : state.holder().stream().toList();
        return new View(
                holders.stream().map(holder -> asked(holder.owner())).collect(Collectors.toMap(Asked::id, one -> one)),
                state.waiters().stream()
                        .map(LockWaiter::owner)
                        .map(this::asked)
                        .filter(one -> !one.brief)
                        .toList(),
                state.holder().map(LockHolder::fencingToken).orElse(0L),
                state.isShared());
    }

    private Asked asked(String owner) {
        Asked one = all.get(owner.substring("owner ".length()));
        assertThat(one).as(owner).isNotNull();
        return one;
    }

    @Override
    public void close() {
        processes.forEach(StoreProcess::close);
        host.close();
    }
}
