package dev.baton.sample.fleet;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Primary;

/** Acts on a server until the test lets the action finish, and fails if two actions on a server overlap. */
@Primary
class GatedServerAgent implements ServerAgent {

    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final Map<String, Semaphore> gates = new ConcurrentHashMap<>();

    @Override
    public void install(String serverId, String version, long fencingToken) throws InterruptedException {
        act(serverId);
    }

    @Override
    public void reboot(String serverId, long fencingToken) throws InterruptedException {
        act(serverId);
    }

    private void act(String serverId) throws InterruptedException {
        if (!busy.add(serverId)) {
            throw new IllegalStateException("two actions overlap on server " + serverId);
        }
        try {
            if (!gate(serverId).tryAcquire(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test did not release server " + serverId);
            }
        } finally {
            busy.remove(serverId);
        }
    }

    boolean isBusy(String serverId) {
        return busy.contains(serverId);
    }

    void letGo(String serverId) {
        gate(serverId).release();
    }

    private Semaphore gate(String serverId) {
        return gates.computeIfAbsent(serverId, id -> new Semaphore(0));
    }
}
