package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Sends each script to the master of its first key. While a slot moves, or has no master, a master refuses the script: it
 * is then sent again every 20 ms, within the time of its command, to the master that the refusal names, or else to the one
 * that has the slot by then.
 */
final class ClusterTransport implements ScriptTransport {

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Cluster cluster;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final AtomicLong given = new AtomicLong();

    ClusterTransport(Cluster cluster, RedisFailures failures, StoreThreads threads) {
        this.cluster = cluster;
        this.failures = failures;
        this.threads = threads;
    }

    @Override
    public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, @Nullable WaitingCaller caller) {
        Sending<T> sending = new Sending<>(call, timeoutNanos);
        sending.send(caller);
        return sending;
    }

    @Override
    public long epoch() {
        return cluster.epoch();
    }

    /** Returns another number each time: an earlier command may have been sent to the master before, and again. */
    @Override
    public long order() {
        return given.incrementAndGet();
    }

    @Override
    public void close() {
        cluster.close();
    }

    /** One script in progress. */
    private final class Sending<T> extends CompletableFuture<T> {

        private final ScriptCall<T> call;
        private final long timeoutNanos;
        private final long begun = System.nanoTime();
        private final int slot;
        /** The last refusal, or {@code null} if there is none. */
        private volatile @Nullable Throwable refusal;
        /** The master that the last refusal names, or {@code null} if there is none. */
        private volatile @Nullable String named;

        Sending(ScriptCall<T> call, long timeoutNanos) {
            this.call = call;
            this.timeoutNanos = timeoutNanos;
            this.slot = call.keys().length == 0 ? -1 : ClusterSlotHashUtil.calculateSlot(call.keys()[0]);
        }

        void send(@Nullable WaitingCaller caller) {
            long left = timeoutNanos - (System.nanoTime() - begun);
            if (left <= 0) {
                Throwable last = refusal;
                completeExceptionally(
                        last == null
                                ? cluster.unknownSlots()
                                : failures.moving(call.script().file(), timeoutNanos, last));
                return;
            }
            ScriptTransport master = master();
            if (master == null) {
                cluster.troubled();
                StoreException unknown = cluster.unknownSlots();
                if (unknown.isPassing()) {
                    again(left);
                } else {
                    // another attempt would be refused, too
                    completeExceptionally(unknown);
                }
            } else {
                master.send(call, left, caller).whenComplete(this::answered);
            }
        }

        private @Nullable ScriptTransport master() {
            if (slot < 0) {
                return cluster.anyMaster();
            }
            String address = named;
            ScriptTransport master = address == null ? null : cluster.master(address);
            return master == null ? cluster.master(slot) : master;
        }

        private void answered(@Nullable T reply, @Nullable Throwable failure) {
            if (failure == null) {
                complete(reply);
            } else if (RedisFailures.isMoving(failure)) {
                refusal = failure;
                named = RedisFailures.movedTo(failure);
                cluster.troubled();
                again(timeoutNanos - (System.nanoTime() - begun));
            } else {
                if (failure instanceof StoreException said && said.isPassing()) {
                    cluster.troubled();
                }
                completeExceptionally(failure);
            }
        }

        private void again(long left) {
            try {
                threads.after(Math.max(1, Math.min(AGAIN_NANOS, left)), () -> send(null));
            } catch (RejectedExecutionException ex) {
                completeExceptionally(failures.stopped());
            }
        }
    }
}
