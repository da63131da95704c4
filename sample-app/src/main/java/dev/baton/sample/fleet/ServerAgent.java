package dev.baton.sample.fleet;

/** Acts on a server of the fleet, which must not happen twice at a time. */
interface ServerAgent {

    /**
     * Brings a version on a server.
     *
     * @param fencingToken of the lock under which this happens; the server refuses one that is smaller than it has seen
     */
    void install(String serverId, String version, long fencingToken) throws InterruptedException;

    /** Reboots a server; the token as in {@link #install}. */
    void reboot(String serverId, long fencingToken) throws InterruptedException;
}
