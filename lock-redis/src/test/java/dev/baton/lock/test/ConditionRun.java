package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Awaited;
import dev.baton.lock.store.LockName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two processes at the conditions of one lock, and a model of what becomes of their requests. */
final class ConditionRun implements AutoCloseable {

    private static final LockName NAME = new LockName("", "x.1");
    /** The number of the request by which a writer awaits a condition is by so much higher. */
    private static final int AWAITED = 1_000;

    /** What a step does, if it can be done now. */
    enum What {
        ACQUIRE,
        ACQUIRE_BY_B,
        AWAIT,
        AWAIT_AGAIN,
        SIGNAL,
        SIGNAL_ALL,
        SIGNAL_UNCHECKED,
        REPEAT,
        ASK,
        GIVE_UP,
        RELEASE
    }

    /**
     * One step.
     *
     * @param which chooses one of several requests
     */
    record Step(What what, int which, String condition) {}

    /** A request in the model. */
    private static final class Entry {
        final StoreProcess process;
        final int number;
        final String condition;
        boolean signalled;

        Entry(StoreProcess process, int number, String condition) {
            this.process = process;
            this.number = number;
            this.condition = condition;
        }

        String id() {
            return process.id(number);
        }

        Request request(boolean awaits) {
            return process.waits(number).at(condition, awaits);
        }
    }

    /** How many requests were signalled; how many of these signals were spent, or ended with nothing to be passed on to. */
    int moved;

    int spent;
    int unspent;
    /** What the store said of requests that left their conditions, and what the model says. */
    final List<Awaited> said = new ArrayList<>();

    final List<Awaited> expected = new ArrayList<>();
    /** How many requests each signal reached, as the store says, and as the model does. */
    final List<Integer> signalled = new ArrayList<>();

    final List<Integer> expectedSignalled = new ArrayList<>();

    private final StoreHost host;
    private final StoreProcess a;
    private final StoreProcess b;
    private @Nullable Entry holder;
    private final List<Entry> queue = new ArrayList<>();
    private final Map<String, List<Entry>> lists = new HashMap<>();
    private @Nullable Entry awaitedLast;
    private int holderBefore;
    private int number;

    ConditionRun(StoreHost host) {
        this.host = host;
        this.a = host.start("a", true);
        this.b = host.start("b", true);
    }

    void begin() {
        host.clear();
        moved = 0;
        spent = 0;
        unspent = 0;
        List.of(said, expected).forEach(List::clear);
        List.of(signalled, expectedSignalled).forEach(List::clear);
        queue.clear();
        lists.clear();
        holder = null;
        awaitedLast = null;
        number = 0;
    }

    void carryOut(Step step) {
        host.tick();
        Entry held = holder;
        switch (step.what) {
            case ACQUIRE -> acquire(a);
            case ACQUIRE_BY_B -> acquire(b);
            case AWAIT -> {
                if (held != null) {
                    await(held, step.condition);
                }
            }
            case AWAIT_AGAIN -> {
                if (awaitedLast != null && isKnown(awaitedLast)) {
                    awaitedLast.process.await(NAME, holderBefore, awaitedLast.request(true));
                }
            }
            case SIGNAL -> signal(held, step.condition, 1);
            case SIGNAL_ALL -> signal(held, step.condition, 64);
            case SIGNAL_UNCHECKED -> signal(null, step.condition, 1);
            case REPEAT -> atCondition(step.which, true);
            case ASK -> atCondition(step.which, false);
            case GIVE_UP -> giveUp(step.which);
            case RELEASE -> release(held);
        }
    }

    private void acquire(StoreProcess process) {
        Entry entry = new Entry(process, ++number, "");
        process.acquire(NAME, process.waits(entry.number));
        queue.add(entry);
        handOver();
    }

    private void await(Entry held, String condition) {
        Entry waiter = new Entry(held.process, AWAITED + ++number, condition);
        held.process.await(NAME, held.number, waiter.request(true));
        if (held.signalled) {
            spent++;
        }
        lists.computeIfAbsent(condition, any -> new ArrayList<>()).add(waiter);
        awaitedLast = waiter;
        holderBefore = held.number;
        holder = null;
        handOver();
    }

    private void signal(@Nullable Entry held, String condition, int most) {
        if (held == null && most > 1) {
            return;
        }
        StoreProcess process = held == null ? b : held.process;
        int reached = process.signal(NAME, held == null ? 0 : held.number, condition, most)
                .signalled();
        moved += reached;
        signalled.add(reached);
        expectedSignalled.add(move(condition, most));
        handOver();
    }

    private int move(String condition, int most) {
        List<Entry> list = lists.getOrDefault(condition, List.of());
        int count = Math.min(most, list.size());
        for (int i = 0; i < count; i++) {
            Entry next = list.remove(0);
            next.signalled = true;
            queue.add(next);
        }
        return count;
    }

    private void atCondition(int which, boolean awaits) {
        List<Entry> all = atConditions();
        if (all.isEmpty()) {
            return;
        }
        Entry entry = all.get(which % all.size());
        List<Entry> list = lists.getOrDefault(entry.condition, List.of());
        AcquireReply reply = entry.process.acquire(NAME, entry.request(awaits));
        Awaited what = reply.conditions().get(entry.id());
        said.add(what);
        if (awaits && list.contains(entry)) {
            expected.add(Awaited.AWAITS);
        } else {
            expected.add(entry.signalled ? Awaited.SIGNALLED : Awaited.ASKS);
            if (list.remove(entry)) {
                queue.add(entry);
            }
        }
        handOver();
    }

    /** Ends a request whose caller has not taken the lock. */
    private void giveUp(int which) {
        List<Entry> all = atConditions();
        if (all.isEmpty()) {
            return;
        }
        Entry entry = all.get(which % all.size());
        entry.process.end(NAME, entry.request(false));
        lists.getOrDefault(entry.condition, List.of()).remove(entry);
        queue.remove(entry);
        if (holder == entry) {
            holder = null;
        }
        if (entry.signalled && move(entry.condition, 1) == 0) {
            unspent++;
        }
        handOver();
    }

    private void release(@Nullable Entry held) {
        if (held != null) {
            held.process.endTaken(NAME, held.number);
            spent += held.signalled ? 1 : 0;
            holder = null;
            handOver();
        }
    }

    private void handOver() {
        if (holder == null && !queue.isEmpty()) {
            holder = queue.remove(0);
        }
    }

    private boolean isKnown(Entry entry) {
        return atConditions().contains(entry);
    }

    /** Returns the requests at conditions that have not ended: in lists, in the queue, and the holder. */
    private List<Entry> atConditions() {
        List<Entry> all = new ArrayList<>();
        new LinkedHashMap<>(lists).forEach((condition, list) -> all.addAll(list));
        queue.stream().filter(entry -> !entry.condition.isEmpty()).forEach(all::add);
        if (holder != null && !holder.condition.isEmpty()) {
            all.add(holder);
        }
        return all;
    }

    /** Returns how many requests have a signal that is not spent. */
    int signalledNow() {
        return (int) atConditions().stream().filter(entry -> entry.signalled).count();
    }

    String modelHolder() {
        return holder == null ? "none" : "owner " + holder.id();
    }

    String storeHolder() {
        return StoreProcess.answer(a.store.administration().inspect(NAME, 0, StoreProcess.TIMEOUT))
                .holder()
                .map(LockHolder::owner)
                .orElse("none");
    }

    int awaitingBeforeLoss() {
        return lists.values().stream().mapToInt(List::size).sum();
    }

    /** Loses all data. Returns how many of the requests that awaited a condition then ask for their lock. */
    int wokenAfterLoss() {
        host.clear();
        return (int) lists.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.process
                                .acquire(NAME, entry.request(true))
                                .conditions()
                                .get(entry.id())
                        == Awaited.ASKS)
                .count();
    }

    @Override
    public void close() {
        a.close();
        b.close();
        host.close();
    }
}
