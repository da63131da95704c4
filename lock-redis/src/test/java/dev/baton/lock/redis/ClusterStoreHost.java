package dev.baton.lock.redis;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.support.ClusterBackend;
import dev.baton.lock.support.Connections;
import dev.baton.lock.test.StoreHost;
import dev.baton.lock.test.StoreProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** Keeps locks in the cluster that the tests share. */
final class ClusterStoreHost implements StoreHost {

    private static final int ROUNDS = 2;

    private final List<Runnable> ends = new ArrayList<>();
    private final ClusterBackend backend;
    private final TestCluster cluster = ClusterBackend.shared();
    private final List<RespConnection> controls;
    private int settled;

    ClusterStoreHost(ClusterBackend backend) {
        this.backend = backend;
        this.controls =
                cluster.masters().stream().map(master -> master.connect()).toList();
    }

    @Override
    public LockStore newStore() {
        return store(backend.connect(cluster));
    }

    @Override
    public LockStore newDeafStore() {
        return store(backend.connect(cluster, ClusterBackend.DEAF));
    }

    private LockStore store(Connections connections) {
        ends.add(connections.end());
        return RedisLockStore.builder(connections.factory()).build();
    }

    @Override
    public void awaitStart(StoreProcess process, boolean hears) {
        if (hears) {
            Awaitility.await().pollInterval(Duration.ofMillis(2)).until(process.store()::isListening);
        }
    }

    @Override
    public void pass(Duration duration) {
        long until = micros() + duration.toNanos() / 1_000;
        while (micros() <= until) {
            LockSupport.parkNanos(500_000);
        }
    }

    /** All servers have the clock of this machine. */
    private long micros() {
        List<?> time = (List<?>) controls.get(0).command("TIME");
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    @Override
    public void age(Duration duration) {
        controls.forEach(
                control -> control.command("EVAL", RedisStoreHost.AGE, "0", Long.toString(duration.toNanos() / 1_000)));
    }

    @Override
    public void expire(LockName name) {
        cluster.command(RedisStoreHost.expiring(name));
    }

    /**
     * A message follows all that the same master published before. A copy may be faster by way of another master, but not
     * twice.
     */
    @Override
    public void settle(StoreProcess process) {
        if (!process.store().isListening()) {
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<String> ids = new ArrayList<>();
            for (RespConnection control : controls) {
                String id = RedisStoreHost.SENTINEL + "-" + ++settled;
                control.command("PUBLISH", InboxChannel.of(process.instance()), "grant 1 " + id + " 1 lock:lock:{x.1}");
                ids.add(id);
            }
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!ids.isEmpty()) {
                ids.removeIf(id -> process.told().removeIf(told -> told.id().equals(id)));
                if (System.nanoTime() - until > 0) {
                    throw new AssertionError(process.instance() + " receives no message");
                }
                LockSupport.parkNanos(20_000);
            }
        }
    }

    @Override
    public void clear() {
        ClusterBackend.clear(cluster);
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
        clear();
        controls.forEach(RespConnection::close);
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
