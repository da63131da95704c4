package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.harness.RespConnection;

/**
 * One element that is taken from a list and put back: Redis itself serves the longest waiter. It is no lock,
 * because a process that dies with the element keeps it for ever, but no lock can be handed over more cheaply. Each waiter
 * blocks a connection.
 */
final class TokenList implements Contender {

    private final Sockets sockets;

    TokenList(Place place) {
        this.sockets = new Sockets(place);
    }

    @Override
    public void prepare(String name) {
        RespConnection connection = sockets.take();
        connection.command("RPUSH", key(name), "1");
        sockets.giveBack(connection);
    }

    @Override
    public Hold acquire(String name) {
        RespConnection connection = sockets.take();
        connection.command("BLPOP", key(name), "0");
        return () -> {
            connection.command("RPUSH", key(name), "1");
            sockets.giveBack(connection);
        };
    }

    private static String key(String name) {
        return "token:" + name;
    }

    @Override
    public void close() {
        sockets.close();
    }
}
