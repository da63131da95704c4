package dev.baton.lock.mutation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the mutants that survived with the accepted survivors. */
final class MutationReport {

    private final Map<String, String> accepted;
    private final Set<String> known = new HashSet<>();
    private final List<Mutant> explained = new ArrayList<>();
    private final List<Mutant> unexplained = new ArrayList<>();
    private final Set<String> leftOut = new HashSet<>();
    /** What killed each mutant, by its id. */
    private final Map<String, String> killers = new HashMap<>();

    MutationReport(Map<String, String> accepted) {
        this.accepted = accepted;
    }

    /** @param killer the test that failed, and how */
    void killed(Mutant mutant, String killer) {
        known.add(mutant.id());
        killers.put(mutant.id(), killer);
    }

    void survived(Mutant mutant) {
        known.add(mutant.id());
        (accepted.containsKey(mutant.id()) ? explained : unexplained).add(mutant);
    }

    boolean isAccepted(Mutant mutant) {
        return accepted.containsKey(mutant.id());
    }

    /** Records an accepted mutant that was not tried. */
    void leftOut(Mutant mutant) {
        known.add(mutant.id());
        leftOut.add(mutant.id());
    }

    /** Returns the complaints of the run, or none if it passed. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        unexplained.forEach(mutant -> complaints.add("survived without a reason: " + mutant.id()));
        Set<String> survivors = new HashSet<>(leftOut);
        explained.forEach(mutant -> survivors.add(mutant.id()));
        for (String id : accepted.keySet()) {
            if (!known.contains(id)) {
                complaints.add("accepted, but there is no such mutant: " + id);
            } else if (!survivors.contains(id)) {
                complaints.add("accepted, but a test finds it: " + id + ": " + killers.get(id));
            }
        }
        return complaints;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        explained.forEach(mutant -> text.append("accepted ")
                .append(mutant)
                .append("\n      because ")
                .append(accepted.get(mutant.id()))
                .append('\n'));
        unexplained.forEach(mutant -> text.append("SURVIVED ").append(mutant).append('\n'));
        int survivors = explained.size() + unexplained.size();
        int tried = known.size() - leftOut.size();
        text.append("%d mutants: %d killed, %d accepted, %d unexplained"
                .formatted(tried, tried - survivors, explained.size(), unexplained.size()));
        return leftOut.isEmpty()
                ? text.toString()
                : text.append(", and %d accepted that were left out".formatted(leftOut.size()))
                        .toString();
    }
}
