package dev.baton.lock.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the mutants that may survive, each with a reason. A line in the first column is the id of a mutant, and the
 * indented lines below it give the reason. Lines that begin with # are comments.
 */
final class AcceptedSurvivors {

    private AcceptedSurvivors() {}

    static Map<String, String> read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException ex) {
            throw new UncheckedIOException("Could not read the accepted survivors", ex);
        }
    }

    static Map<String, String> parse(String text) {
        Map<String, String> reasons = new LinkedHashMap<>();
        String id = "";
        for (String line : text.lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (!line.startsWith(" ")) {
                id = line.strip();
                if (reasons.put(id, "") != null) {
                    throw new IllegalArgumentException("Accepted twice: " + id);
                }
            } else if (id.isEmpty()) {
                throw new IllegalArgumentException("A reason without a mutant: " + line);
            } else {
                reasons.merge(id, line.strip(), (before, more) -> (before + " " + more).strip());
            }
        }
        reasons.forEach((accepted, reason) -> {
            if (reason.isEmpty()) {
                throw new IllegalArgumentException("Accepted without a reason: " + accepted);
            }
        });
        return reasons;
    }
}
