package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.testing.CallRecorder;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One trip of a request through Baton, recorded for a picture of {@code docs/internals.md}. */
abstract class Trip implements Runnable {

    private static final Duration HOUR = Duration.ofHours(1);

    final FakeLockStore store = new FakeLockStore();
    final LockTemplate template;

    private Trip(Duration expire, Duration recheck) {
        template = LockTemplate.builder(store).expire(expire).recheck(recheck).build();
        store.reserving = true;
    }

    private Trip() {
        this(HOUR, HOUR);
    }

    /** Runs the steps before the picture. */
    void prepare() {
        // nothing
    }

    abstract void go();

    @Override
    public final void run() {
        try {
            prepare();
            CallRecorder.begin();
            go();
        } finally {
            template.engine().executors().stop();
        }
    }

    /** A token that Redis may have given. */
    final long token() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    final CompletableFuture<Lease> asks(LockRequest request) {
        // a thread of its own, because an acquire by the holding thread would be re-entrant
        return CompletableFuture.supplyAsync(
                () -> template.acquire(request), task -> new Thread(task, "caller").start());
    }

    final CompletableFuture<Lease> asks() {
        return asks(LockRequest.of("x"));
    }

    final Lease held() {
        CompletableFuture<Lease> lease = asks();
        store.nextAcquire().answer(TestEngine.granted(101));
        return TestEngine.get(lease);
    }

    static final class UncontendedAcquire extends Trip {

        @Override
        void go() {
            held();
        }
    }

    static final class ContendedWait extends Trip {

        ContendedWait() {
            super(HOUR, Duration.ofMillis(20));
        }

        @Override
        void go() {
            CompletableFuture<Lease> lease = asks();
            store.nextAcquire().answer(TestEngine.busy(100));
            Sent<AcquireCommand, AcquireReply> again = store.nextAcquire();
            again.answer(TestEngine.busy(100));
            template.engine()
                    .inbox()
                    .granted(
                            again.command().names(),
                            again.command().requests().get(0).id(),
                            token());
            TestEngine.get(lease);
        }
    }

    static final class ReleaseAndHandOver extends Trip {

        private Lease lease;
        private CompletableFuture<Lease> next;
        private String waiter;

        @Override
        void prepare() {
            lease = held();
            // another lease length, so that this request waits in the queue of the store
            next = asks(LockRequest.of("x").expire(Duration.ofMinutes(1)));
            Sent<AcquireCommand, AcquireReply> asked = store.nextAcquire();
            waiter = asked.command().requests().get(0).id();
            asked.answer(TestEngine.busy(101));
        }

        @Override
        void go() {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(lease::close);
            EndReply handedOver =
                    new EndReply(EndReply.Role.HOLDER, List.of(), false, false, List.of(waiter), OptionalLong.of(102));
            store.nextEnd().answer(handedOver);
            TestEngine.get(closed);
            TestEngine.get(next);
        }
    }

    static final class Renewal extends Trip {

        Renewal() {
            super(Duration.ofSeconds(3), HOUR);
        }

        @Override
        void prepare() {
            held();
        }

        @Override
        void go() {
            store.nextRenewal().answer(List.of(List.of()));
        }
    }

    static final class Loss extends Trip {

        private Lease lease;

        @Override
        void prepare() {
            lease = held();
        }

        @Override
        void go() {
            Ticket ticket = ((DefaultLease) lease).hold().acquisition.ticket();
            template.engine().inbox().revoked(ticket.names(), ticket.id(), token());
            store.nextEnd().answer(TestEngine.ended(EndReply.Role.NOTHING));
        }
    }
}
