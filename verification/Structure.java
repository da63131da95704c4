import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Prints how the built classes depend on one another: cycles between packages, how many other types each class knows, and how many
 * types one uncontended acquire and release loads. Ends with 1 if there is a cycle. {@code structure.sh} runs it.
 */
class Structure {

    private static final String OURS = "dev.baton.lock";
    /** With so many a class has more than one job, unless it only puts others together. */
    private static final int MOST = 15;

    private static final Pattern ARROW = Pattern.compile("\\s+(dev\\.baton\\.[\\w.$]+)\\s+-> (dev\\.baton\\.[\\w.$]+)\\s.*");
    private static final Pattern LOADED = Pattern.compile("(dev\\.baton\\.lock\\.[\\w.$]+) source:.*");

    private final List<Path> folders;
    private final String classPath;

    Structure(List<Path> folders, String classPath) {
        this.folders = folders;
        this.classPath = classPath;
    }

    /** @param args the file with the class path of the tests of lock-autoconfigure, then the folders with classes of the libraries */
    public static void main(String[] args) throws Exception {
        List<Path> folders = Stream.of(args).skip(1).map(Path::of).toList();
        String ours = String.join(File.pathSeparator, folders.stream().map(Path::toString).toList());
        String classPath = ours + File.pathSeparator + Files.readString(Path.of(args[0])).strip();
        System.exit(new Structure(folders, classPath).print() ? 0 : 1);
    }

    private boolean print() throws Exception {
        Map<String, Set<String>> classes = arrows();
        Set<Set<String>> cycles = cycles(packages(classes));
        System.out.println("types: " + Set.copyOf(typesIn(classes)).size());
        System.out.println("cycles between packages: " + cycles.size());
        cycles.forEach(cycle -> System.out.println("  " + cycle));
        Map<String, Integer> known = known(classes);
        List<Map.Entry<String, Integer>> largest = known.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        System.out.println("classes that know more than " + MOST + " others:");
        largest.stream()
                .takeWhile(entry -> entry.getValue() > MOST)
                .forEach(entry -> System.out.println("  " + entry.getValue() + " " + entry.getKey()));
        largest.stream()
                .filter(entry -> entry.getValue() <= MOST)
                .findFirst()
                .ifPresent(entry -> System.out.println("largest of the rest: " + entry.getValue() + " " + entry.getKey()));
        TreeSet<String> loaded = loaded();
        System.out.println("types loaded for an uncontended pair: " + loaded.size());
        TreeMap<String, Integer> perPackage = new TreeMap<>();
        loaded.forEach(type -> perPackage.merge(packageOf(type), 1, Integer::sum));
        perPackage.forEach((name, count) -> System.out.println("  " + count + " " + name));
        return cycles.isEmpty();
    }

    /** From each top-level type of ours to those that it names. */
    private Map<String, Set<String>> arrows() {
        StringWriter out = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("-v", "--ignore-missing-deps", "--multi-release", "base"));
        folders.forEach(folder -> arguments.add(folder.toString()));
        ToolProvider.findFirst("jdeps")
                .orElseThrow(() -> new IllegalStateException("this Java has no jdeps; use a JDK"))
                .run(new PrintWriter(out), new PrintWriter(System.err), arguments.toArray(String[]::new));
        Map<String, Set<String>> arrows = new HashMap<>();
        for (String line : out.toString().lines().toList()) {
            Matcher arrow = ARROW.matcher(line);
            if (arrow.matches()) {
                String from = top(arrow.group(1));
                String to = top(arrow.group(2));
                if (!from.equals(to)) {
                    arrows.computeIfAbsent(from, same -> new TreeSet<>()).add(to);
                }
            }
        }
        if (arrows.isEmpty()) {
            throw new IllegalStateException("no classes of ours in " + folders + "; build them first");
        }
        return arrows;
    }

    private static Map<String, Set<String>> packages(Map<String, Set<String>> classes) {
        Map<String, Set<String>> packages = new TreeMap<>();
        classes.forEach((from, to) -> to.forEach(one -> {
            if (!packageOf(from).equals(packageOf(one))) {
                packages.computeIfAbsent(packageOf(from), same -> new TreeSet<>())
                        .add(packageOf(one));
            }
        }));
        return packages;
    }

    /** Groups of packages each of which reaches all others of its group. */
    private static Set<Set<String>> cycles(Map<String, Set<String>> arrows) {
        Map<String, Set<String>> reached = new HashMap<>();
        arrows.keySet().forEach(from -> reached.put(from, reachedFrom(from, arrows)));
        Set<Set<String>> cycles = new HashSet<>();
        reached.forEach((from, to) -> {
            if (to.contains(from)) {
                Set<String> cycle = new TreeSet<>(to);
                cycle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(from));
                cycles.add(cycle);
            }
        });
        return cycles;
    }

    private static Set<String> reachedFrom(String start, Map<String, Set<String>> arrows) {
        Set<String> reached = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(arrows.getOrDefault(start, Set.of()));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (reached.add(one)) {
                next.addAll(arrows.getOrDefault(one, Set.of()));
            }
        }
        return reached;
    }

    /**
     * How many others each class knows. Values count neither as knowing nor as known: records, enums, exceptions, and
     * final classes with an {@code equals} of their own.
     */
    private Map<String, Integer> known(Map<String, Set<String>> classes) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        Map<String, Integer> known = new HashMap<>();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
            for (Map.Entry<String, Set<String>> entry : classes.entrySet()) {
                if (!isValue(entry.getKey(), loader)) {
                    int count = 0;
                    for (String other : entry.getValue()) {
                        count += isValue(other, loader) ? 0 : 1;
                    }
                    known.put(entry.getKey(), count);
                }
            }
        }
        return known;
    }

    private static boolean isValue(String name, ClassLoader loader) throws ClassNotFoundException {
        try {
            Class<?> type = Class.forName(name, false, loader);
            for (Class<?> one = type; one != null; one = one.getSuperclass()) {
                if (Set.of("java.lang.Record", "java.lang.Enum", "java.lang.Throwable").contains(one.getName())) {
                    return true;
                }
            }
            return Modifier.isFinal(type.getModifiers())
                    && Arrays.stream(type.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals("equals"));
        } catch (NoClassDefFoundError ex) {
            // what it extends is an optional dependency
            return false;
        }
    }

    /** The top-level types that {@code UncontendedPair} loads, but for those that start its Redis. */
    private TreeSet<String> loaded() throws IOException, InterruptedException {
        Path log = Files.createTempFile("loaded", ".txt");
        try {
            int ended = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-Xlog:class+load=info:file=" + log,
                            "-cp",
                            classPath,
                            Path.of("verification", "UncontendedPair.java").toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (ended != 0) {
                throw new IllegalStateException("UncontendedPair ended with " + ended);
            }
            TreeSet<String> loaded = new TreeSet<>();
            for (String line : Files.readAllLines(log)) {
                Matcher type = LOADED.matcher(line.substring(line.lastIndexOf(']') + 1).strip());
                if (type.matches() && !type.group(1).startsWith(OURS + ".harness.")) {
                    loaded.add(top(type.group(1)));
                }
            }
            return loaded;
        } finally {
            Files.delete(log);
        }
    }

    private static Set<String> typesIn(Map<String, Set<String>> classes) {
        Set<String> types = new HashSet<>(classes.keySet());
        classes.values().forEach(types::addAll);
        return types;
    }

    private static String top(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }
}
