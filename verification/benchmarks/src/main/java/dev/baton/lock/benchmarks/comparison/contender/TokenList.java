package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.harness.RespConnection;

/**
 * Elements that are taken from a list and put back, one for a lock and several for permits: Redis itself serves the longest
 * waiter. It is no lock, because a process that dies with the element keeps it for ever, but no lock can be handed over more
 * cheaply. Each waiter blocks a connection.
 */
final class TokenList implements Contender {

    private final Sockets sockets;
    private final int tokens;

    TokenList(Place place) {
        this(place, 1);
    }

    TokenList(Place place, int tokens) {
        this.tokens = tokens;
        this.sockets = new Sockets(place);
    }

    @Override
    public void prepare(String name) {
        RespConnection connection = sockets.take();
        for (int i = 0; i < tokens; i++) {
            connection.command("RPUSH", key(name), "1");
        }
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

    @Override
    public Player join(String name, int me) {
        return new ListPlayer(sockets, name, me);
    }

    private static String key(String name) {
        return "token:" + name;
    }

    @Override
    public void close() {
        sockets.close();
    }
}
