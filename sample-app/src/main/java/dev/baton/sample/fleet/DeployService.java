package dev.baton.sample.fleet;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.annotation.DistributedLock;
import org.springframework.stereotype.Service;

/** Deploys to one server at a time, whichever process and thread asks. */
@Service
class DeployService {

    private final ServerAgent agent;
    private final Deployments deployments;

    DeployService(ServerAgent agent, Deployments deployments) {
        this.agent = agent;
        this.deployments = deployments;
    }

    /** Waits for the server, up to {@code baton.wait-time}, and has it for at most 10 s. */
    @DistributedLock(scope = "server_access", key = "#serverId", expire = 10)
    public Deployed deploy(String serverId, String version) throws InterruptedException {
        Lease lease = LockContext.currentLease();
        long deployment = deployments.started(serverId, version, lease.fencingToken());
        boolean done = false;
        try {
            agent.install(serverId, version, lease.fencingToken());
            done = true;
        } finally {
            deployments.ended(deployment, done);
        }
        return new Deployed(
                serverId,
                version,
                lease.fencingToken(),
                lease.waited().toMillis(),
                ProcessHandle.current().pid());
    }

    /**
     * A finished deployment.
     *
     * @param waitedMillis how long the deployment waited for others on the same server
     * @param process the process that held the lock
     */
    record Deployed(String server, String version, long fencingToken, long waitedMillis, long process) {}
}
