package dev.baton.sample.fleet;

import dev.baton.lock.LockResult;
import java.time.Duration;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/servers/{id}")
class ServerController {

    private final DeployService deployService;
    private final RebootService rebootService;
    private final Deployments deployments;

    ServerController(DeployService deployService, RebootService rebootService, Deployments deployments) {
        this.deployService = deployService;
        this.rebootService = rebootService;
        this.deployments = deployments;
    }

    @PostMapping("/deploy")
    DeployService.Deployed deploy(@PathVariable String id, @RequestParam String version) throws InterruptedException {
        return deployService.deploy(id, version);
    }

    @PostMapping("/reboot")
    ResponseEntity<?> reboot(@PathVariable String id) throws InterruptedException {
        LockResult<RebootService.Rebooted> result = rebootService.reboot(id);
        if (result instanceof LockResult.Executed<RebootService.Rebooted> executed) {
            return ResponseEntity.ok(executed.value());
        }
        LockResult.Busy<?> busy = (LockResult.Busy<?>) result;
        return ResponseEntity.of(LockProblems.busy("server_access." + id, Duration.ZERO, busy.holder()))
                .build();
    }

    @GetMapping
    ServerStatus status(@PathVariable String id) {
        return new ServerStatus(id, deployments.of(id));
    }

    record ServerStatus(String server, List<Deployments.Deployment> deployments) {}
}
