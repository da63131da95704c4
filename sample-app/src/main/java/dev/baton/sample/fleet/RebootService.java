package dev.baton.sample.fleet;

import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Takes the lock by hand, because it does not want to wait and names the holder in its way. */
@Service
class RebootService {

    private final LockTemplate lockTemplate;
    private final ServerAgent agent;

    RebootService(LockTemplate lockTemplate, ServerAgent agent) {
        this.lockTemplate = lockTemplate;
        this.agent = agent;
    }

    /** Reboots the server unless another caller acts on it; it is the lock that {@link DeployService} takes. */
    LockResult<Rebooted> reboot(String serverId) throws InterruptedException {
        LockRequest request = LockRequest.of("server_access", serverId).expire(Duration.ofSeconds(10));
        return lockTemplate.tryExecute(request, lease -> {
            agent.reboot(serverId, lease.fencingToken());
            return new Rebooted(serverId, lease.fencingToken());
        });
    }

    record Rebooted(String server, long fencingToken) {}
}
