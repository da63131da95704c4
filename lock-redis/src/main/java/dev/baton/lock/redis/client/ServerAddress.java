package dev.baton.lock.redis.client;

/** The address of one server. */
public record ServerAddress(String host, int port) {

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
