package dev.baton.lock.support;

import dev.baton.lock.Lease;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockContext;
import dev.baton.lock.time.KeptInterrupt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A thread has one interrupt flag, and works inside one or more nested bodies. `causes` lists the bodies for
 * which the flag is set. The first one is the body whose loss has set the flag. The others are the bodies that were
 * lost while the flag was set. If `causes` is empty, a flag that is set comes from other code.
 *
 *      loss of a body:   flag clear                  -> interrupt; causes = [body]
 *                        flag set, causes not empty  -> causes + body
 *                        flag set, causes empty      -> nothing: other code has interrupted already
 *      end of a body:    not in causes               -> nothing
 *                        the last cause              -> clear the flag
 *                        others share it             -> leave it; if the body had set it, set it for them
 *
 * A wait that must not end with an interrupt keeps it, and the flag is clear meanwhile. It still counts as set.
 *
 * Both run under one lock per thread, which is held for these steps only. A loss therefore comes before the end of its
 * body, or does nothing.
 */
/**
 * Interrupts a thread whose lease is lost, while the thread does the work under that lease and never after the work.
 */
final class LossInterrupter implements KeptInterrupt.Observer {

    private static final ThreadLocal<@Nullable LossInterrupter> CURRENT = new ThreadLocal<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread = Thread.currentThread();
    /** The bodies that the thread is in, innermost last; written and read by that thread. */
    private final Deque<Body> bodies = new ArrayDeque<>();
    /** Guarded by the lock. */
    private final List<Body> causes = new ArrayList<>();
    /** Whether a wait keeps the interrupt of the thread: the flag counts as set. Guarded by the lock. */
    private boolean kept;

    private LossInterrupter() {}

    /** Does work in the calling thread, which is interrupted once if the hold is lost meanwhile. */
    static <T extends @Nullable Object, E extends Exception> T callWith(
            ReentrantHold hold, Lease lease, LockCallback<T, E> action) throws E {
        LossInterrupter known = CURRENT.get();
        LossInterrupter mine = known == null ? new LossInterrupter() : known;
        if (mine.isIn(hold)) {
            // a loss interrupts the enclosing body, and this one with it
            return LockContext.callWith(lease, action);
        }
        Body body = mine.begin();
        CURRENT.set(mine);
        KeptInterrupt.observe(mine);
        try {
            body.hold = hold;
            hold.onLoss(body);
            return LockContext.callWith(lease, action);
        } finally {
            hold.noMore(body);
            mine.end(body);
            if (known == null) {
                CURRENT.remove();
                KeptInterrupt.observe(null);
            }
        }
    }

    private boolean isIn(ReentrantHold hold) {
        return bodies.stream().anyMatch(body -> body.hold == hold);
    }

    private Body begin() {
        Body body = new Body();
        bodies.addLast(body);
        return body;
    }

    private void lost(Body body) {
        lock.lock();
        try {
            if (body.done) {
                return;
            }
            body.done = true;
            if (!kept && !thread.isInterrupted()) {
                causes.clear();
                causes.add(body);
                thread.interrupt();
            } else if (!causes.isEmpty()) {
                causes.add(body);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A wait keeps the interrupt. If the flag is set again, a loss has set it since, and the interrupt came from other code. */
    @Override
    public void taken() {
        lock.lock();
        try {
            if (thread.isInterrupted()) {
                causes.clear();
            }
            kept = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void givenBack() {
        lock.lock();
        try {
            kept = false;
            thread.interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a body. Called in the thread itself. */
    private void end(Body body) {
        bodies.removeLast();
        lock.lock();
        try {
            body.done = true;
            int place = causes.indexOf(body);
            if (place < 0) {
                return;
            }
            causes.remove(place);
            if (causes.isEmpty()) {
                Thread.interrupted();
            } else if (place == 0) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Work under one hold. */
    final class Body implements Runnable {

        private @Nullable ReentrantHold hold;
        /**
         * Whether the loss was handled, or the body is over: the body is no longer interrupted. Guarded by the lock.
         */
        private boolean done;

        /** Handles the loss of the hold. */
        @Override
        public void run() {
            lost(this);
        }
    }
}
