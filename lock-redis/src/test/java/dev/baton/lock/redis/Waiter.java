package dev.baton.lock.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The record of a waiter, read by an independent parser. */
record Waiter(Map<String, String> fields) {

    private static final List<String> NAMES =
            List.of("v", "mode", "id", "lease", "patience", "reserve", "owner", "label", "pass");

    static Waiter parse(@Nullable String record) {
        String[] parts = Objects.requireNonNull(record, "no record").split(" ", NAMES.size() + 1);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < parts.length; i++) {
            String name = i < NAMES.size() ? NAMES.get(i) : "locks";
            fields.put(name, parts[i].replace("%20", " ").replace("%25", "%"));
        }
        return new Waiter(fields);
    }

    List<String> text(String... names) {
        return Stream.of(names).map(name -> fields.getOrDefault(name, "none")).toList();
    }

    long number(String name) {
        return Long.parseLong(text(name).get(0));
    }
}
