package dev.baton.lock.faults;

import dev.baton.lock.faults.Contender.HeldLock;
import dev.baton.lock.faults.Contender.LeaseKind;
import dev.baton.lock.faults.Contender.Wish;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One thread of a mixed load, which requests one or several locks, waits or cancels, holds, and reports until when it
 * relies on them.
 */
final class MixedWorker extends Thread {

    static final List<String> NAMES = List.of("a", "b", "c");

    private final String process;
    private final Contender contender;
    private final Random random;
    private final Consumer<HistoryEvent> history;
    private long number;
    private volatile boolean ended;

    MixedWorker(String process, int thread, Contender contender, long seed, Consumer<HistoryEvent> history) {
        super(process + "-" + thread);
        setDaemon(true);
        this.process = process;
        this.contender = contender;
        this.random = new Random(seed);
        this.history = history;
    }

    /** Stops the thread after its current request. */
    void end() {
        ended = true;
    }

    @Override
    public void run() {
        while (!ended) {
            Wish next = nextWish();
            report(Kind.ASKED, next, System.nanoTime(), 0, 0);
            try {
                HeldLock holding = contender.acquire(next);
                if (holding == null) {
                    report(Kind.GAVE_UP, next, System.nanoTime(), 0, 0);
                } else {
                    hold(next, holding, random.nextInt(15));
                }
            } catch (InterruptedException ex) {
                report(Kind.GAVE_UP, next, System.nanoTime(), 0, 0);
            }
            // an interrupted thread continues
            Thread.interrupted();
        }
    }

    private Wish nextWish() {
        int first = random.nextInt(NAMES.size());
        boolean several = random.nextInt(4) == 0;
        List<String> names =
                several ? List.of(NAMES.get(first), NAMES.get((first + 1) % NAMES.size())) : List.of(NAMES.get(first));
        // a long wait reveals a lost wake-up
        long wait = random.nextInt(3) == 0 ? random.nextInt(60) : 1000 + random.nextInt(4000);
        int kind = random.nextInt(20);
        LeaseKind lease = kind == 0 ? LeaseKind.OUTLIVED : kind < 8 ? LeaseKind.LIMITED : LeaseKind.RENEWED;
        Duration cancelAfter = random.nextInt(6) == 0 ? Duration.ofMillis(random.nextInt(40)) : null;
        String tag = (several ? "several~" : "single~") + getName() + "~" + ++number;
        return new Wish(names, tag, Duration.ofMillis(wait), lease, cancelAfter);
    }

    private void hold(Wish held, HeldLock holding, int millis) {
        Kind kind = Kind.ACQUIRED;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (believes(kind, held, holding) && (held.lease() == LeaseKind.OUTLIVED || System.nanoTime() < end)) {
                kind = Kind.RENEWED;
                TimeUnit.MILLISECONDS.sleep(2);
            }
            if (held.lease() == LeaseKind.OUTLIVED) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException ex) {
            // releases the lock early
        }
        report(Kind.RELEASED, held, System.nanoTime(), 0, 0);
        holding.release();
    }

    /**
     * Reports until when the thread may rely on the lock, counted from before the question. Returns {@code false} if
     * the lease is over.
     */
    private boolean believes(Kind kind, Wish held, HeldLock holding) {
        long now = System.nanoTime();
        long remaining = holding.remaining().toNanos();
        if (remaining > 0) {
            report(kind, held, now, holding.token(), now + remaining);
        }
        return remaining > 0;
    }

    private void report(Kind kind, Wish by, long nanos, long number, long until) {
        for (String name : by.names()) {
            history.accept(new HistoryEvent(nanos, kind, process, name, by.tag(), number, until));
        }
    }
}
