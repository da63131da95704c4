package dev.baton.lock.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A block of Java in a page.
 *
 * @param page the name of the page
 * @param line the number of the block's first line
 * @param text the lines between the fences
 */
record Snippet(String page, int line, String text) {

    private static final Pattern IMPORT = Pattern.compile("import (static )?[\\w.*]+;");

    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:(?:public|final|abstract|sealed) )*(?:class|interface|enum|record|@interface) ");

    private static final String GIVEN = """
            dev.baton.lock.support.LockTemplate lockTemplate;
            dev.baton.lock.reactive.ReactiveLockTemplate reactiveLockTemplate;
            dev.baton.lock.LockRequest request;
            """;

    /** Returns the blocks of Java of a page. */
    static List<Snippet> in(Path page) throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().startsWith("```java")) {
                int first = i + 1;
                int last = first;
                while (!lines.get(last).strip().equals("```")) {
                    last++;
                }
                String text = String.join("\n", lines.subList(first, last)) + "\n";
                snippets.add(new Snippet(Pages.name(page), first + 1, text));
                i = last;
            }
        }
        return snippets;
    }

    /**
     * Returns what the block may be, as compilation units: a unit of its own if it declares a type that is not indented;
     * otherwise the members of a class, or the statements of a method. Those know the variables that every page takes as
     * given.
     */
    List<String> readings() {
        if (TYPE.matcher(text).find()) {
            return List.of(text);
        }
        String imports = text.lines().filter(Snippet::isImport).collect(Collectors.joining("\n", "", "\n"));
        String rest = text.lines().filter(line -> !isImport(line)).collect(Collectors.joining("\n", "", "\n"));
        return List.of(
                imports + "class Snippet {\n" + GIVEN + rest + "}\n",
                imports + "class Snippet {\n" + GIVEN + "void snippet() throws Throwable {\n" + rest + "}\n}\n");
    }

    private static boolean isImport(String line) {
        return IMPORT.matcher(line).matches();
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
