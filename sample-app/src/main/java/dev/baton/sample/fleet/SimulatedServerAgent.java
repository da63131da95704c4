package dev.baton.sample.fleet;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Takes its time, as a real server does, and refuses a holder that comes too late. */
@Component
class SimulatedServerAgent implements ServerAgent {

    private final FleetProperties properties;
    private final Acts acts;
    private final Map<String, Long> highestTokens = new ConcurrentHashMap<>();

    SimulatedServerAgent(FleetProperties properties, Acts acts) {
        this.properties = properties;
        this.acts = acts;
    }

    @Override
    public void install(String serverId, String version, long fencingToken) throws InterruptedException {
        checkToken(serverId, fencingToken);
        act(serverId, "deploy", properties.deployTime());
        checkToken(serverId, fencingToken);
    }

    @Override
    public void reboot(String serverId, long fencingToken) throws InterruptedException {
        checkToken(serverId, fencingToken);
        act(serverId, "reboot", properties.rebootTime());
    }

    private void act(String serverId, String kind, Duration time) throws InterruptedException {
        try (Acts.Running act = acts.begin(serverId, kind)) {
            Thread.sleep(time.toMillis());
        }
    }

    /** A lease can end before the work does (a long pause of the process): then the next holder's token is greater. */
    private void checkToken(String serverId, long fencingToken) {
        long highest = highestTokens.merge(serverId, fencingToken, Math::max);
        if (fencingToken < highest) {
            throw new IllegalStateException("server " + serverId + " refuses token " + fencingToken + ": it has seen "
                    + highest + ", so another holder has had the lock meanwhile");
        }
    }
}
