package dev.baton.sample.fleet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Takes its time, as a real server does, and refuses who comes too late. */
@Component
class SimulatedServerAgent implements ServerAgent {

    private final FleetProperties properties;
    private final Map<String, Long> highestTokens = new ConcurrentHashMap<>();

    SimulatedServerAgent(FleetProperties properties) {
        this.properties = properties;
    }

    @Override
    public void install(String serverId, String version, long fencingToken) throws InterruptedException {
        checkToken(serverId, fencingToken);
        Thread.sleep(properties.deployTime().toMillis());
        checkToken(serverId, fencingToken);
    }

    @Override
    public void reboot(String serverId, long fencingToken) throws InterruptedException {
        checkToken(serverId, fencingToken);
        Thread.sleep(properties.rebootTime().toMillis());
    }

    /** A lease can end before the work does (a long pause of the process): then the next holder's token is greater. */
    private void checkToken(String serverId, long fencingToken) {
        long highest = highestTokens.merge(serverId, fencingToken, Math::max);
        if (fencingToken < highest) {
            throw new IllegalStateException("server " + serverId + " refuses token " + fencingToken + ": it has seen "
                    + highest + ", so another has had the lock meanwhile");
        }
    }
}
