package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.harness.RespConnection;

/** The least that a lock in Redis can cost: two commands on a socket that is not shared. */
final class SocketPair implements Contender {

    private final Sockets sockets;

    SocketPair(Place place) {
        this.sockets = new Sockets(place);
    }

    @Override
    public Hold acquire(String name) {
        String key = "socket:" + name;
        RespConnection connection = sockets.take();
        if (!"OK".equals(connection.command("SET", key, "1", "NX", "PX", "30000"))) {
            throw new IllegalStateException(key + " is there");
        }
        return () -> {
            connection.command("DEL", key);
            sockets.giveBack(connection);
        };
    }

    @Override
    public void close() {
        sockets.close();
    }
}
