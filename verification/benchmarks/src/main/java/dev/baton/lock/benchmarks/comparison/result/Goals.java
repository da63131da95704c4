package dev.baton.lock.benchmarks.comparison.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Goals and what was measured of each, in their order. Not thread-safe. */
public final class Goals {

    private final Results results;
    private final List<Goal> goals = new ArrayList<>();

    /** None yet, to be measured by these results. */
    public Goals(Results results) {
        this.results = results;
    }

    /** The figure of one contender is at most this. */
    public Goals atMost(String what, double bound, int scenario, Metric metric, String contender) {
        return add(what, true, bound, results.spread(scenario, contender, metric));
    }

    /** It is at most so many times that of another. */
    public Goals atMost(String what, double bound, int scenario, Metric metric, String contender, String base) {
        return add(what, true, bound, results.ratio(scenario, metric, contender, base));
    }

    /** It is at least so many times that of another. */
    public Goals atLeast(String what, double bound, int scenario, Metric metric, String contender, String base) {
        return add(what, false, bound, results.ratio(scenario, metric, contender, base));
    }

    private Goals add(String what, boolean most, double bound, Optional<Spread> measured) {
        goals.add(new Goal(what, most, bound, measured));
        return this;
    }

    /** All of them. */
    public List<Goal> all() {
        return List.copyOf(goals);
    }
}
