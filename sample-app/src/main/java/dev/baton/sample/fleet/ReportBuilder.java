package dev.baton.sample.fleet;

import dev.baton.lock.annotation.DistributedLock;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Builds a report once for all callers that ask for it at the same time. */
@Component
class ReportBuilder {

    private final ReportStore store;
    private final Deployments deployments;
    private final FleetProperties properties;

    ReportBuilder(ReportStore store, Deployments deployments, FleetProperties properties) {
        this.store = store;
        this.deployments = deployments;
        this.properties = properties;
    }

    @DistributedLock(scope = "report", key = "#name", expire = 10)
    public Report build(String name) throws InterruptedException {
        // Look again: the previous holder may have built it while this call waited.
        Optional<Report> built = store.find(name);
        if (built.isPresent()) {
            return built.get();
        }
        Thread.sleep(properties.reportTime().toMillis());
        Report report = new Report(name, Instant.now(), ProcessHandle.current().pid(), deployments.countByServer());
        store.save(report);
        return report;
    }
}
