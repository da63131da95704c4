package dev.baton.lock.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the pages of the documentation. */
final class Pages {

    /** The root of the repository. */
    static final Path ROOT = Path.of("..", "..");

    private Pages() {}

    /** Returns what users read: the README, and the pages of {@code docs} without its folders. */
    static List<Path> forUsers() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        pages.addAll(in("docs", ".md"));
        return pages;
    }

    /** Returns every page of the repository. */
    static List<Path> all() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of(
                "", ".github", "docs", "docs/decisions", "docs/spec", "sample-app", "verification/benchmarks")) {
            pages.addAll(in(folder, ".md"));
        }
        return pages;
    }

    /** Returns the files of a folder, but not those of the folders below it, in the order of their names. */
    static List<Path> in(String folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the path of a page as readers know it: from the root of the repository, with slashes. */
    static String name(Path page) {
        return ROOT.relativize(page).toString().replace('\\', '/');
    }
}
