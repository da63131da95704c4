package dev.baton.lock.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the links and the anchors of a page. */
final class Links {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+(?:\\([^()\\s]*\\))?[^()\\s]*)\\)");

    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)\\s*#*");

    private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

    private Links() {}

    /** Returns the targets of links of a page, those in code left out. */
    static List<String> targets(List<String> lines) {
        List<String> targets = new ArrayList<>();
        for (String line : prose(lines)) {
            Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("`"));
            while (link.find()) {
                targets.add(link.group(1));
            }
        }
        return targets;
    }

    /** Returns the anchors that GitHub makes of the headings of a page, and those that the page names itself. */
    static Set<String> anchors(List<String> lines) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose(lines)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int times = seen.merge(anchor, 1, Integer::sum);
                anchors.add(times == 1 ? anchor : anchor + "-" + (times - 1));
            }
            Matcher named = NAMED.matcher(line);
            while (named.find()) {
                anchors.add(named.group(1));
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** Returns why a link leads nowhere, or an empty text if it leads somewhere or to another site. */
    static String problem(Path page, String target) throws IOException {
        if (target.matches("(?:https?|mailto):.*")) {
            return "";
        }
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path there = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(there)) {
            return "there is no " + there;
        }
        boolean anchored = hash >= 0 && there.toString().endsWith(".md");
        return !anchored || anchors(Files.readAllLines(there)).contains(target.substring(hash + 1))
                ? ""
                : there + " has no heading " + target.substring(hash);
    }

    /** Returns the lines that are not between fences. */
    private static List<String> prose(List<String> lines) {
        List<String> prose = new ArrayList<>();
        boolean fenced = false;
        for (String line : lines) {
            if (line.strip().startsWith("```")) {
                fenced = !fenced;
            } else if (!fenced) {
                prose.add(line);
            }
        }
        return prose;
    }
}
