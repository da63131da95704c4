package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.test.StoreProcess.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Three processes that share a semaphore, one of them deaf, two of which state different sizes. Checks after each step what
 * must hold, by a model that knows what the processes were told.
 */
final class PermitRun implements AutoCloseable {

    static final long LEASE = 60_000;
    static final int LARGEST = 8;

    private static final LockName POOL = new LockName("", "x.1", true);
    private static final int[] SIZES = {5, LARGEST, 5};
    private static final long KEPT = 45_000;

    private final StoreHost host;
    private final List<StoreProcess> processes;

    private final List<String> log = new ArrayList<>();
    /** The permits that a process believes to have, by request, with the time of their local end. */
    private final Map<String, Belief> beliefs = new HashMap<>();
    /** When the last acquire of a request was sent. */
    private final Map<String, Long> asked = new HashMap<>();

    private final Map<Integer, Long> stated = new HashMap<>();
    /** The tokens of all grants that were seen. */
    private final Set<Long> granted = new HashSet<>();

    private int set;
    private long setUntil;
    private long now;
    private int allowed;

    PermitRun(StoreHost host) {
        this.host = host;
        this.processes = List.of(host.start("a", true), host.start("b", true), host.start("deaf", false));
    }

    private record Belief(int count, long until) {}

    /** Returns all answers, messages and states. */
    List<String> run(List<PermitStep> steps) {
        host.clear();
        log.clear();
        beliefs.clear();
        asked.clear();
        stated.clear();
        granted.clear();
        set = -1;
        setUntil = 0;
        now = 0;
        allowed = LARGEST;
        processes.forEach(process -> process.told.clear());
        int used = 0;
        for (PermitStep step : steps) {
            log.add(step.toString());
            carryOut(step);
            host.tick();
            hear();
            used = check(used);
        }
        return List.copyOf(log);
    }

    private void carryOut(PermitStep step) {
        if (step instanceof PermitStep.Acquire acquire) {
            acquire(acquire);
        } else if (step instanceof PermitStep.End end) {
            StoreProcess process = processes.get(end.process());
            EndReply reply = process.end(List.of(POOL), end.number(), end.kept() ? KEPT : 0, 60_000);
            beliefs.remove(process.id(end.number()));
            log.add(reply.role() + " " + reply.handedTo());
        } else if (step instanceof PermitStep.Renew renew) {
            StoreProcess process = processes.get(renew.process());
            boolean held = process.renew(List.of(POOL), renew.number(), LEASE).isEmpty();
            if (held) {
                state(SIZES[renew.process()], LEASE);
            }
            beliefs.computeIfPresent(
                    process.id(renew.number()), (id, belief) -> held ? new Belief(belief.count(), now + LEASE) : null);
            log.add("held " + held);
        } else if (step instanceof PermitStep.Age age) {
            host.age(Duration.ofMillis(age.millis()));
            now += age.millis();
        } else if (step instanceof PermitStep.Resize resize) {
            set = resize.millis() == 0 ? -1 : resize.size();
            setUntil = now + resize.millis();
            allowed = Math.max(allowed, resize.size());
            log.add(StoreProcess.answer(processes
                            .get(0)
                            .store
                            .administration()
                            .resize(POOL, resize.size(), resize.millis(), StoreProcess.TIMEOUT))
                    .toString());
        } else {
            // a process that cannot be notified learns of its loss when it renews or releases
            beliefs.clear();
            StoreProcess.answer(processes.get(0).store.administration().forceRelease(POOL, StoreProcess.TIMEOUT));
        }
    }

    private void acquire(PermitStep.Acquire acquire) {
        StoreProcess process = processes.get(acquire.process());
        Request request = process.request(
                        acquire.number(), acquire.kind(), LEASE, -1, acquire.number() % 2 == 0 ? 40_000 : 0)
                .taking(POOL, new LockPermits(SIZES[acquire.process()], count(acquire.number())));
        AcquireReply.Answer answer = process.acquire(POOL, request).answers().get(0);
        if (!(answer instanceof AcquireReply.Over)) {
            state(SIZES[acquire.process()], LEASE);
        }
        if (answer instanceof Granted granted) {
            believe(request.id(), acquire.number(), now);
            log.add("granted " + granted.again());
        } else if (answer instanceof Busy busy) {
            beliefs.values().removeIf(belief -> belief.until() <= now);
            assertThat(beliefs).as("a holder is granted its permits again").doesNotContainKey(request.id());
            log.add("busy " + busy.size());
        } else {
            log.add("over");
        }
        asked.put(request.id(), now);
    }

    /** Request 1 asks for one permit, request 5 for five. */
    private static int count(int number) {
        return number;
    }

    private void state(int size, long millis) {
        stated.merge(size, now + millis, Math::max);
    }

    private void believe(String id, int number, long since) {
        beliefs.put(id, new Belief(count(number), since + LEASE));
    }

    private void hear() {
        for (StoreProcess process : processes) {
            host.settle(process);
            List<String> messages = new ArrayList<>();
            for (Told told : process.told) {
                messages.add(process.instance + " is told: " + told.what() + " " + told.id());
                if (told.what().equals("granted")) {
                    int number = Integer.parseInt(told.id().substring(told.id().lastIndexOf(':') + 1));
                    believe(told.id(), number, asked.getOrDefault(told.id(), now));
                } else {
                    beliefs.remove(told.id());
                }
            }
            // holders are told of their loss in any order
            messages.stream().sorted().forEach(log::add);
            process.told.clear();
        }
    }

    private int check(int before) {
        LockState state =
                StoreProcess.answer(processes.get(0).store.administration().inspect(POOL, 10, StoreProcess.TIMEOUT));
        LockState.Permits permits = state.permits().orElseThrow();
        for (LockHolder holder : state.readers()) {
            if (granted.add(holder.fencingToken())) {
                state(sizeOf(holder), holder.remaining().toMillis());
            }
        }
        int used = state.readers().stream().mapToInt(LockHolder::permits).sum();
        assertThat(permits.used()).as("P1: used is the sum of what is held").isEqualTo(used);
        int believed = beliefs.values().stream()
                .filter(belief -> belief.until() > now)
                .mapToInt(Belief::count)
                .sum();
        assertThat(believed)
                .as("P1: believed permits %s after %s", beliefs, log)
                .isLessThanOrEqualTo(allowed);
        int size = size();
        assertThat(permits.size().orElse(-1)).as("P4: the size that counts").isEqualTo(size);
        if (used > before) {
            assertThat(used).as("P4: nothing is granted beyond the size").isLessThanOrEqualTo(size);
        }
        log.add(permits + " "
                + state.readers().stream()
                        .map(reader -> reader.owner() + "*" + reader.permits())
                        .sorted()
                        .toList()
                + " " + state.waiters().stream().map(waiter -> waiter.owner()).toList());
        return used;
    }

    /** Returns the size that the process of a holder states. */
    private int sizeOf(LockHolder holder) {
        for (int i = 0; i < SIZES.length; i++) {
            if (holder.owner().startsWith("owner " + processes.get(i).instance + ":")) {
                return SIZES[i];
            }
        }
        throw new AssertionError("no process has " + holder);
    }

    private int size() {
        return set >= 0 && setUntil > now
                ? set
                : stated.entrySet().stream()
                        .filter(entry -> entry.getValue() > now)
                        .mapToInt(Map.Entry::getKey)
                        .min()
                        .orElse(-1);
    }

    @Override
    public void close() {
        processes.forEach(StoreProcess::close);
        host.close();
    }
}
