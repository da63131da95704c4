package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.store.WaitingCaller;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/*
 * Overview. A thread that reads from a socket notices neither an interrupt nor the end of its wait time. Closing the
 * socket ends the read.
 *
 *    the store's clock, at the bound ----+
 *                                        +--> letGo: while the thread reads, closes its connection
 *    the interrupting thread ------------+
 *
 *    WRITING --the command is in the buffer--> READING --the answer is there--> OVER
 *        +---------------- letGo ----------------+-------------------------------^
 *
 * A connection is not closed while the thread writes: Jedis would connect again at once, without logging in. Writing
 * into the buffer does not block. If the thread is let go meanwhile, the command is not sent.
 *
 * An interruptible channel is the way of the JDK to learn of the interrupt of a thread: the interrupting thread closes
 * the channel that the other thread is in. Neither the clock nor an interrupting thread may block, so a third thread
 * closes the connection.
 */
/** One script that the calling thread sends on its own. The thread leaves the exchange within the bound. */
final class CallerExchange extends AbstractInterruptibleChannel {

    /**
     * The shortest bound. A thread that leaves before the answer costs the connection, so a caller that leaves soon
     * does not send its command: a slow network or a busy machine might be the only reason.
     */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private enum Phase {
        WRITING,
        READING,
        OVER
    }

    private final Connection connection;
    private final Executor closer;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WRITING);

    /** Says that the thread was let go before its command was sent. */
    static final class NotSentException extends RuntimeException {

        private static final long serialVersionUID = 1;

        NotSentException() {
            super("the calling thread was let go before its command was sent", null, false, false);
        }
    }

    /**
     * Creates an exchange.
     *
     * @param closer closes the connection, which may block
     */
    CallerExchange(Connection connection, Executor closer) {
        this.connection = connection;
        this.closer = closer;
    }

    /**
     * Returns whether the calling thread may send its command. The interrupt of a virtual thread closes the socket that
     * the thread reads from, also if the interrupt must not end the wait.
     */
    static boolean isPossible(WaitingCaller caller, long timeoutNanos) {
        return boundNanos(caller, timeoutNanos) >= SHORTEST_NANOS
                && !isVirtual(Thread.currentThread())
                && !(caller.interruptible() && Thread.currentThread().isInterrupted());
    }

    /** Returns how long the calling thread may stay in the exchange. */
    static long boundNanos(WaitingCaller caller, long timeoutNanos) {
        return Math.min(caller.waitNanos(), timeoutNanos);
    }

    /**
     * Carries out a script that Redis knows, in the calling thread. Fails if the thread was let go.
     *
     * @param interruptible whether an interrupt lets the thread go
     */
    List<Object> ask(ScriptCall<?> call, boolean interruptible) {
        if (!interruptible) {
            return ask(call);
        }
        begin();
        try {
            return ask(call);
        } finally {
            leave();
        }
    }

    private List<Object> ask(ScriptCall<?> call) {
        JedisScripts.sendSha(connection, call);
        if (!phase.compareAndSet(Phase.WRITING, Phase.READING)) {
            throw new NotSentException();
        }
        return JedisScripts.answer(connection, call);
    }

    private void leave() {
        try {
            end(true);
        } catch (ClosedChannelException ex) {
            // the thread was interrupted: its flag is set, and its caller looks at the flag
        }
    }

    /** Says that the thread has left. Returns {@code false} if it was let go: the connection must not be used again. */
    boolean finish() {
        return phase.getAndSet(Phase.OVER) != Phase.OVER;
    }

    /** Lets the thread go, unless it has left already. Does not block. */
    void letGo() {
        if (phase.getAndSet(Phase.OVER) != Phase.READING) {
            return;
        }
        try {
            closer.execute(this::disconnect);
        } catch (RejectedExecutionException ex) {
            // the store has stopped, and its clock has nothing else to do
            disconnect();
        }
    }

    private void disconnect() {
        try {
            connection.forceDisconnect();
        } catch (IOException | RuntimeException ex) {
            connection.setBroken();
        }
    }

    @Override
    protected void implCloseChannel() {
        letGo();
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException ex) {
            // before Java 21, no thread is virtual
            return null;
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable ex) {
            throw new LinkageError("Thread.isVirtual", ex);
        }
    }
}
