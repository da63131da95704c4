package dev.baton.lock.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A record of the wait hash, read by an independent parser: a flat JSON object of texts. */
record Waiter(Map<String, String> fields) {

    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    static Waiter parse(@Nullable String json) {
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(Objects.requireNonNull(json, "no record"));
        while (field.find()) {
            fields.put(field.group(1), field.group(2).replaceAll("\\\\(.)", "$1"));
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
