package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.harness.RespConnection;

/** Takes its turn from a list of its own, and puts the turn of the other player into the list of that one. */
final class ListPlayer implements Player {

    private final Sockets sockets;
    private final RespConnection connection;
    private final String own;
    private final String other;

    ListPlayer(Sockets sockets, String name, int me) {
        this.sockets = sockets;
        this.connection = sockets.take();
        this.own = key(name, me);
        this.other = key(name, 1 - me);
    }

    private static String key(String name, int player) {
        return "turn:" + name + ":" + player;
    }

    @Override
    public void await() {
        connection.command("BLPOP", own, "0");
    }

    @Override
    public void pass() {
        connection.command("RPUSH", other, "1");
    }

    @Override
    public void close() {
        sockets.giveBack(connection);
    }
}
