package dev.baton.sample.simulate;

import dev.baton.lock.LockHolder;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Starts a simulation, says how far it is, and shows what came of it. */
@RestController
@RequestMapping("/simulate")
class SimulationController {

    private static final Set<String> NUMBERS = Set.of("processes", "threads", "seconds", "hold-millis");
    private static final String UNPROTECTED = "unprotected";

    /** Less than at the terminal: its processes share a machine with the fleet, and its turns are read into this one. */
    private static final int MOST_PROCESSES = 8;

    private static final int MOST_THREADS = 32;
    private static final int MOST_SECONDS = 60;

    private final SimulationJobs jobs;

    SimulationController(SimulationJobs jobs) {
        this.jobs = jobs;
    }

    /**
     * Starts one with the options of the terminal as parameters; refused while one is running in any instance.
     *
     * @throws IllegalArgumentException if there is no such option, or not with that value
     */
    @PostMapping
    ResponseEntity<?> start(@RequestParam MultiValueMap<String, String> parameters) {
        List<String> args = args(parameters);
        SimulationOptions options;
        try {
            options = SimulationOptions.of(new DefaultApplicationArguments(args.toArray(String[]::new)));
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(String.valueOf(ex.getMessage()).replace("--", ""), ex);
        }
        checkSize(options);
        Optional<SimulationJobs.Running> running = jobs.start(options, args);
        return running.isPresent()
                ? problem(
                        HttpStatus.CONFLICT,
                        "A simulation is running",
                        running(running.get().holder()))
                : ResponseEntity.accepted().location(URI.create("/simulate")).body(status());
    }

    /** Only these: what else a command line may set is no business of a caller. */
    private static List<String> args(MultiValueMap<String, String> parameters) {
        List<String> args = new ArrayList<>();
        parameters.forEach((name, values) -> {
            String value = String.join(",", values);
            if (NUMBERS.contains(name)) {
                args.add("--" + name + "=" + value);
            } else if (!name.equals(UNPROTECTED)) {
                throw new IllegalArgumentException(
                        "unknown option " + name + "; use " + new TreeSet<>(NUMBERS) + " and " + UNPROTECTED + "=true");
            } else if (value.equals("true")) {
                args.add("--" + UNPROTECTED);
            } else if (!value.equals("false")) {
                throw new IllegalArgumentException(
                        UNPROTECTED + "=" + value + " is neither true nor false; write " + UNPROTECTED + "=true");
            }
        });
        return args;
    }

    private static void checkSize(SimulationOptions options) {
        if (options.processes() > MOST_PROCESSES
                || options.processes() * options.threads() > MOST_THREADS
                || options.duration().toSeconds() > MOST_SECONDS) {
            throw new IllegalArgumentException("over HTTP, a simulation has at most " + MOST_PROCESSES + " processes, "
                    + MOST_THREADS + " threads and " + MOST_SECONDS + " seconds; use --simulate for more");
        }
    }

    private static String running(@Nullable LockHolder holder) {
        return "only one simulation can run at a time, and one is running in "
                + (holder == null ? "this instance" : "another instance, held by " + holder)
                + "; wait until it is done";
    }

    /** How far the last one of this instance is. */
    @GetMapping
    SimulationJob.Status status() {
        return jobs.last()
                .map(SimulationJob::status)
                .orElse(new SimulationJob.Status(0, SimulationJob.State.NONE, 0, 0, null));
    }

    /** Returns the result of the last simulation of this instance. */
    @GetMapping("/result")
    ResponseEntity<?> result() {
        SimulationResult result = jobs.last().map(SimulationJob::result).orElse(null);
        return result == null ? noResult() : ResponseEntity.ok(SimulationFigures.of(status().id(), result));
    }

    /** Returns the picture of the last simulation of this instance: the holders of the server over time. */
    @GetMapping("/timeline.svg")
    ResponseEntity<?> timeline() {
        SimulationResult result = jobs.last().map(SimulationJob::result).orElse(null);
        return result == null
                ? noResult()
                : ResponseEntity.ok()
                        .header("Content-Type", "image/svg+xml;charset=UTF-8")
                        .header("Cache-Control", "no-store")
                        .body(TimelineSvg.of(result));
    }

    private ResponseEntity<?> noResult() {
        SimulationJob.Status status = status();
        String why = switch (status.state()) {
            case NONE -> "this instance has not started a simulation; start one with POST /simulate";
            case FAILED -> "the simulation failed: " + status.error();
            default -> "the simulation is not done yet: " + status.percent() + " %";
        };
        return problem(HttpStatus.NOT_FOUND, "No simulation to show", why);
    }

    private static ResponseEntity<?> problem(HttpStatus status, String title, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        return ResponseEntity.of(problem).build();
    }
}
