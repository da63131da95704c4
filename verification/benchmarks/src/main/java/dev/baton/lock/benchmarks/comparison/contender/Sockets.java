package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.harness.RespConnection;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Plain blocking connections, as many as are used at the same time. May be used by any thread. */
final class Sockets implements AutoCloseable {

    private static final Duration LONGEST_REPLY = Duration.ofMinutes(2);

    private final Place place;
    private final Queue<RespConnection> idle = new ConcurrentLinkedQueue<>();

    Sockets(Place place) {
        this.place = place;
    }

    RespConnection take() {
        RespConnection connection = idle.poll();
        return connection != null ? connection : RespConnection.open(place.host(), place.port(), LONGEST_REPLY);
    }

    void giveBack(RespConnection connection) {
        idle.add(connection);
    }

    @Override
    public void close() {
        idle.forEach(RespConnection::close);
    }
}
