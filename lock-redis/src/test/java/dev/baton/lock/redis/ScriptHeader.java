package dev.baton.lock.redis;

import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A parsed script file: the header, the lines that name KEYS and ARGV, and the code below.
 *
 * @param sentence the sentence of the first line
 * @param sections the entries under each heading, in the order of the file; continuation lines are joined to their
 *     entry
 * @param naming the lines that give KEYS and ARGV their names
 * @param body the code after the naming lines
 */
record ScriptHeader(String sentence, Map<String, List<String>> sections, String naming, String body) {

    private static final Pattern HEADING = Pattern.compile("([A-Z]+): (.*)");
    private static final Pattern NAME = Pattern.compile("(\\w+?)(_\\.\\.\\.)?[,:].*");
    private static final Pattern INDEXED = Pattern.compile("(?:tonumber\\()?(KEYS|ARGV)\\[(\\d+)]\\)?");
    private static final Pattern REST = Pattern.compile("\\{ unpack\\((KEYS|ARGV), (\\d+)\\) }");

    /** A name for one of KEYS or ARGV, or for all from one on. */
    record Parameter(String name, int position, boolean rest) {}

    static String file(String name) {
        return LuaScript.read(name);
    }

    static ScriptHeader of(String name) {
        List<String> lines = withoutUsualCases(file(name))
                .replaceAll("(-- include [\\w/]+\n)+\n", "")
                .lines()
                .toList();
        int code = firstIndex(lines, 0, line -> !line.startsWith("--"));
        int below = firstIndex(lines, code + 1, String::isBlank);
        List<String> comment = lines.subList(0, code).stream()
                .map(line -> line.replaceFirst("-- ?", ""))
                .toList();
        return new ScriptHeader(
                comment.get(0),
                sections(comment),
                String.join("\n", lines.subList(code + 1, below)),
                String.join("\n", lines.subList(below, lines.size())));
    }

    private static String withoutUsualCases(String text) {
        return text.replaceAll("(?ms)^-- usual case.*?^-- end of the usual case\n\n?", "");
    }

    /** Returns the entries of KEYS or ARGV in the header. */
    List<Parameter> documented(String heading) {
        List<Parameter> parameters = new ArrayList<>();
        for (String entry : sections.get(heading)) {
            if (entry.equals("none")) {
                continue;
            }
            MatchResult name = matched(NAME, entry);
            parameters.add(new Parameter(name.group(1), parameters.size() + 1, name.group(2) != null));
        }
        return parameters;
    }

    /** Returns the names of KEYS or ARGV in the naming lines. */
    List<Parameter> named(String array) {
        List<Parameter> parameters = new ArrayList<>();
        for (String line : naming.lines().toList()) {
            String[] sides = matched(Pattern.compile("local (.*) = (.*)"), line)
                    .group(0)
                    .substring(6)
                    .split(" = ");
            List<String> names = LuaText.split(sides[0]);
            List<String> values = LuaText.split(sides[1]);
            for (int i = 0; i < names.size(); i++) {
                if (values.get(i).contains(array)) {
                    parameters.add(parameter(names.get(i), values.get(i)));
                }
            }
        }
        return parameters;
    }

    private static Parameter parameter(String name, String value) {
        if (value.matches("KEYS|ARGV")) {
            return new Parameter(name, 1, true);
        }
        boolean rest = value.startsWith("{");
        return new Parameter(
                name, Integer.parseInt(matched(rest ? REST : INDEXED, value).group(2)), rest);
    }

    private static Map<String, List<String>> sections(List<String> comment) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> entries = List.of();
        int margin = 0;
        for (String line : comment) {
            var heading = HEADING.matcher(line);
            if (heading.matches()) {
                entries = new ArrayList<>(List.of(heading.group(2)));
                sections.put(heading.group(1), entries);
                margin = heading.start(2);
            } else if (!entries.isEmpty()) {
                add(entries, line, margin);
            }
        }
        return sections;
    }

    private static void add(List<String> entries, String line, int margin) {
        String text = line.strip();
        if (line.indexOf(text) > margin) {
            int last = entries.size() - 1;
            entries.set(last, entries.get(last) + " " + text);
        } else {
            entries.add(text);
        }
    }

    private static MatchResult matched(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new AssertionError("'" + text + "' has not the form " + pattern);
        }
        return matcher.toMatchResult();
    }

    private static int firstIndex(List<String> lines, int from, Predicate<String> wanted) {
        for (int i = from; i < lines.size(); i++) {
            if (wanted.test(lines.get(i))) {
                return i;
            }
        }
        throw new AssertionError("The file ends before its code begins");
    }
}
