package dev.baton.lock.redis;

import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.Connections;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** A running store, and the events of its inbox. */
public final class StoreUser implements AutoCloseable {

    static final LockName NAME = new LockName("", "orders.1");
    static final long LEASE = 20_000;

    static final Duration RECHECK = Duration.ofSeconds(10);

    /** A grant as received by the inbox. */
    record InboxGrant(LockName name, String id, long token) {}

    public final LockStore store;
    final String instance;
    final BlockingQueue<InboxGrant> told = new LinkedBlockingQueue<>();
    final AtomicInteger confirmations = new AtomicInteger();

    private final Connections connections;
    private Duration timeout = Duration.ofSeconds(5);

    /** Starts a store, and does not wait for its subscription. */
    public StoreUser(Connections connections, String instance) {
        this(connections, instance, builder -> {});
    }

    /** Starts a store with other settings, and does not wait for its subscription. */
    public StoreUser(Connections connections, String instance, Consumer<RedisLockStore.Builder> settings) {
        this.connections = connections;
        this.instance = instance;
        RedisLockStore.Builder builder = RedisLockStore.builder(connections.factory());
        settings.accept(builder);
        this.store = builder.build();
        store.start(instance, new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                told.add(new InboxGrant(names.get(0), id, token));
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                // the renewal says so as well
            }

            @Override
            public void listening() {
                confirmations.incrementAndGet();
            }
        });
    }

    public StoreUser awaitListening() {
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(store::isListening);
        return this;
    }

    /** Sets the time-out of every later command. The default is 5 s. */
    public StoreUser timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    public Duration timeout() {
        return timeout;
    }

    public Request request(int number, Kind kind) {
        return request(number, kind, -1);
    }

    public Request request(int number, Kind kind, long patience) {
        return new Request(id(number), kind, LEASE, patience, 0, "owner-" + number, "label ü " + number);
    }

    String id(int number) {
        return instance + ":" + number;
    }

    public CompletableFuture<AcquireReply> acquire(Request... requests) {
        return store.acquire(new AcquireCommand(List.of(NAME), List.of(requests), RECHECK, timeout.toNanos()));
    }

    CompletableFuture<EndReply> end(int number, long markMillis) {
        return store.end(new EndCommand(
                List.of(NAME), id(number), request(number, Kind.MESSAGE), 0, markMillis, timeout.toNanos()));
    }

    /** Returns for each request whether it still holds its lock. */
    public CompletableFuture<List<Boolean>> renew(long lease, Integer... numbers) {
        return store.renew(new RenewCommand(
                        Arrays.stream(numbers)
                                .map(number -> new RenewCommand.Renewal(List.of(NAME), id(number), lease))
                                .toList(),
                        timeout.toNanos()))
                .thenApply(missing -> missing.stream().map(List::isEmpty).toList());
    }

    /** Returns an answer, and fails if there is none. */
    public static <T> T answer(CompletableFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        store.stop();
        connections.end().run();
    }
}
