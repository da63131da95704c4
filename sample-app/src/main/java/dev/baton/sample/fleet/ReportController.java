package dev.baton.sample.fleet;

import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ReportController {

    private final ReportStore store;
    private final ReportBuilder builder;

    ReportController(ReportStore store, ReportBuilder builder) {
        this.store = store;
        this.builder = builder;
    }

    /** Looks first, which needs no lock; the builder is a bean of its own, else its lock would not be taken. */
    @GetMapping("/report")
    Report report(@RequestParam(defaultValue = "daily") String name) throws InterruptedException {
        Optional<Report> built = store.find(name);
        return built.isPresent() ? built.get() : builder.build(name);
    }
}
