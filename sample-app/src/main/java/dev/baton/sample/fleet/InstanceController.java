package dev.baton.sample.fleet;

import dev.baton.sample.members.MembersProperties;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Reports what this instance does, for the page of any instance. */
@RestController
class InstanceController {

    private final MembersProperties members;
    private final Traffic traffic;
    private final Acts acts;

    InstanceController(MembersProperties members, Traffic traffic, Acts acts) {
        this.members = members;
        this.traffic = traffic;
        this.acts = acts;
    }

    @GetMapping("/instance")
    Instance instance() {
        long at = System.nanoTime(); // before the acts are looked at: what is under way then was so at this time
        return new Instance(members.number(), ProcessHandle.current().pid(), traffic.counts(), at, acts.recent());
    }

    /**
     * The activity of an instance.
     *
     * @param at {@link System#nanoTime()} when the acts were looked at
     */
    record Instance(int number, long pid, Traffic.Counts traffic, long at, List<Acts.Act> acts) {}
}
