import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Checks the artifacts of two builds, and ends with 1 if one of these rules is broken. {@code artifacts.sh} runs it.
 *
 * <ul>
 *   <li>The artifacts are those of {@link #PUBLISHED}.
 *   <li>Both builds have the same files with the same bytes.
 *   <li>Each artifact has a pom with all that Maven Central asks for. A jar has sources, Javadoc and an SBOM beside it.
 *   <li>A pom has no parent, no test dependency, and no dependency on an artifact of Baton that is not published.
 *   <li>The BOM manages each jar, and nothing else.
 *   <li>Each jar names its module, its title and its version, and has the license. No package is in two jars.
 * </ul>
 */
class Artifacts {

    private static final String GROUP = "dev.baton";
    private static final String BOM = "baton-bom";
    /** The names that the documentation promises. One more or one less is a decision, not an accident. */
    private static final Set<String> PUBLISHED = Set.of(
            BOM,
            "baton-autoconfigure-boot3",
            "baton-core",
            "baton-redis",
            "baton-spring",
            "baton-spring-boot-autoconfigure",
            "baton-spring-boot-starter",
            "baton-test");

    private static final String MODULES = "dev.baton.lock.";
    private static final List<String> REQUIRED = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "developers/developer/email",
            "developers/developer/organization",
            "developers/developer/organizationUrl",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");

    private final Path repository;
    private final List<String> problems = new ArrayList<>();
    private final XPath xpath = XPathFactory.newInstance().newXPath();
    /** The version of each artifact by its id. */
    private final Map<String, String> versions = new TreeMap<>();

    Artifacts(Path repository) {
        this.repository = repository;
    }

    /** @param args the folders that both builds have published to */
    public static void main(String[] args) throws Exception {
        Artifacts artifacts = new Artifacts(Path.of(args[0]));
        artifacts.compare(Path.of(args[1]));
        artifacts.check();
        artifacts.problems.forEach(System.out::println);
        System.exit(artifacts.problems.isEmpty() ? 0 : 1);
    }

    private void compare(Path other) throws IOException {
        TreeSet<Path> files = new TreeSet<>(files(repository));
        files.addAll(files(other));
        for (Path file : files) {
            Path one = repository.resolve(file);
            Path two = other.resolve(file);
            if (!Files.exists(one) || !Files.exists(two)) {
                problems.add(file + ": only one of the builds has it");
            } else if (Files.mismatch(one, two) >= 0) {
                problems.add(file + ": the builds differ at byte " + Files.mismatch(one, two) + entry(one, two));
            }
        }
        System.out.println(files.size() + " files compared");
    }

    /** Says which entry of two jars differs. */
    private static String entry(Path one, Path two) throws IOException {
        if (!one.toString().endsWith(".jar")) {
            return "";
        }
        try (JarFile first = new JarFile(one.toFile());
                JarFile second = new JarFile(two.toFile())) {
            for (var entry : first.stream().toList()) {
                var counterpart = second.getEntry(entry.getName());
                if (counterpart == null || entry.getCrc() != counterpart.getCrc()) {
                    return ": " + entry.getName();
                }
            }
        }
        return ": the order or the times of its entries";
    }

    /** Lists what is published; the metadata of the repository says when it was written. */
    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> !path.getFileName().toString().startsWith("maven-metadata"))
                    .map(root::relativize)
                    .toList();
        }
    }

    private void check() throws Exception {
        for (Path file : files(repository)) {
            if (file.toString().endsWith(".pom")) {
                Path version = file.getParent();
                versions.put(version.getParent().getFileName().toString(), version.getFileName().toString());
            }
        }
        if (!versions.keySet().equals(PUBLISHED)) {
            problems.add("published are " + versions.keySet() + " instead of " + new TreeSet<>(PUBLISHED));
        }
        List<Path> jars = new ArrayList<>();
        TreeSet<String> managed = new TreeSet<>();
        for (String artifact : versions.keySet()) {
            Document pom = pom(artifact);
            checkPom(artifact, pom);
            if (xpath.evaluate("/project/packaging", pom).equals("pom")) {
                continue;
            }
            managed.add(GROUP + ":" + artifact + ":" + versions.get(artifact) + ":");
            for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json")) {
                if (!Files.exists(file(artifact, suffix))) {
                    problems.add(artifact + ": no " + file(artifact, suffix).getFileName());
                }
            }
            jars.add(file(artifact, ".jar"));
            checkJar(artifact);
        }
        TreeSet<String> found = new TreeSet<>();
        for (Node one : nodes(pom(BOM), "/project/dependencyManagement/dependencies/dependency")) {
            found.add(xpath.evaluate("concat(groupId, ':', artifactId, ':', version, ':', scope)", one));
        }
        if (!found.equals(managed)) {
            problems.add(BOM + ": manages " + found + ", and the jars are " + managed);
        }
        checkModules(jars);
    }

    private void checkPom(String artifact, Document pom) throws Exception {
        for (String element : REQUIRED) {
            if (xpath.evaluate("/project/" + element, pom).isBlank()) {
                problems.add(artifact + ": the pom has no " + element);
            }
        }
        for (String element : List.of("parent", "properties", "repositories", "profiles", "build")) {
            if (!nodes(pom, "/project/" + element).isEmpty()) {
                problems.add(artifact + ": the pom has the element " + element);
            }
        }
        String text = Files.readString(file(artifact, ".pom"));
        for (String unwanted : List.of("${", "SNAPSHOT", "example.invalid")) {
            if (text.contains(unwanted)) {
                problems.add(artifact + ": the pom contains " + unwanted);
            }
        }
        for (Node dependency : nodes(pom, "/project/dependencies/dependency")) {
            String name = xpath.evaluate("concat(groupId, ':', artifactId)", dependency);
            String id = xpath.evaluate("artifactId", dependency);
            if (name.startsWith(GROUP + ":") && !versions.containsKey(id)) {
                problems.add(artifact + ": depends on " + name + ", which is not published");
            }
            if (xpath.evaluate("scope", dependency).equals("test")) {
                problems.add(artifact + ": the pom has the test dependency " + name);
            }
        }
    }

    private void checkJar(String artifact) throws IOException {
        try (JarFile jar = new JarFile(file(artifact, ".jar").toFile())) {
            var attributes = jar.getManifest().getMainAttributes();
            String version = attributes.getValue("Implementation-Version");
            if (!versions.get(artifact).equals(version)) {
                problems.add(artifact + ": Implementation-Version is " + version);
            }
            if (attributes.getValue("Implementation-Title") == null) {
                problems.add(artifact + ": no Implementation-Title");
            }
            if (attributes.getValue("Automatic-Module-Name") == null) {
                problems.add(artifact + ": no Automatic-Module-Name");
            }
            if (jar.getEntry("META-INF/LICENSE") == null) {
                problems.add(artifact + ": no META-INF/LICENSE");
            }
        }
    }

    private void checkModules(List<Path> jars) {
        Map<String, String> owners = new TreeMap<>();
        TreeSet<String> names = new TreeSet<>();
        ModuleFinder.of(jars.toArray(Path[]::new)).findAll().forEach(module -> {
            String name = module.descriptor().name();
            names.add(name);
            for (String one : module.descriptor().packages()) {
                String owner = owners.put(one, name);
                if (owner != null) {
                    problems.add("package " + one + " is in the modules " + owner + " and " + name);
                }
            }
        });
        System.out.println("modules: " + String.join(", ", names));
        if (names.size() != jars.size() || !names.stream().allMatch(name -> name.startsWith(MODULES))) {
            problems.add("each jar needs a module name of its own that begins with " + MODULES + ": " + jars);
        }
    }

    private Path file(String artifact, String suffix) {
        String version = versions.get(artifact);
        return repository
                .resolve(GROUP.replace('.', '/'))
                .resolve(artifact)
                .resolve(version)
                .resolve(artifact + "-" + version + suffix);
    }

    private Document pom(String artifact) throws Exception {
        if (!versions.containsKey(artifact)) {
            throw new IllegalStateException("no " + artifact + " in " + repository + ", only " + versions.keySet());
        }
        try (InputStream in = Files.newInputStream(file(artifact, ".pom"))) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
    }

    private List<Node> nodes(Document pom, String path) throws Exception {
        NodeList found = (NodeList) xpath.evaluate(path, pom, XPathConstants.NODESET);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            nodes.add(found.item(i));
        }
        return nodes;
    }
}
