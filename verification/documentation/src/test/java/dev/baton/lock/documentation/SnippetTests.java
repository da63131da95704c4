package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a reader can copy each block of Java: it compiles with the imports that it shows. */
class SnippetTests {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Keeps the jars of the class path open over all snippets. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, Locale.ROOT, null);

    @AfterAll
    static void close() throws IOException {
        FILES.close();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippetCompiles(Snippet snippet) {
        assertThat(errors(snippet)).as("errors of %s", snippet).isEmpty();
    }

    @Test
    void unitMembersAndStatementsCompile() {
        assertThat(errors(snippet("class A {}\nrecord B(A a) {}"))).isEmpty();
        assertThat(errors(snippet("import java.time.Duration;\n\nDuration day() { return Duration.ofDays(1); }")))
                .isEmpty();
        assertThat(errors(snippet("import java.time.Duration;\n\nvar day = Duration.ofDays(1);\nday.negated();")))
                .isEmpty();
        assertThat(errors(snippet("lockTemplate.acquire(request).close();"))).isEmpty();
    }

    @Test
    void snippetWithoutAnImportOrWithAMistakeDoesNot() {
        assertThat(errors(snippet("Duration day = Duration.ofDays(1);"))).anyMatch(error -> error.contains("Duration"));
        assertThat(errors(snippet("class A {\n    void a() { lockTemplate.close(); }\n}")))
                .anyMatch(error -> error.contains("lockTemplate"));
        assertThat(errors(snippet("lockTemplate.acqire(request);"))).anyMatch(error -> error.contains("acqire"));
    }

    static List<Snippet> snippets() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : Pages.forUsers()) {
            snippets.addAll(Snippet.in(page));
        }
        return snippets;
    }

    /** Returns the errors of the reading that the compiler understands best, none if one of them compiles. */
    private static List<String> errors(Snippet snippet) {
        List<List<Diagnostic<? extends JavaFileObject>>> all = new ArrayList<>();
        for (String reading : snippet.readings()) {
            List<Diagnostic<? extends JavaFileObject>> errors = compile(reading);
            if (errors.isEmpty()) {
                return List.of();
            }
            all.add(errors);
        }
        return all.stream().min(Comparator.comparingInt(SnippetTests::rank)).orElseThrow().stream()
                .map(error -> error.getMessage(Locale.ROOT))
                .toList();
    }

    /** Ranks a reading that is no Java after one that only names what there is not. */
    private static int rank(List<Diagnostic<? extends JavaFileObject>> errors) {
        boolean parsed = errors.stream()
                .noneMatch(error -> error.getCode().startsWith("compiler.err.expected")
                        || error.getCode().startsWith("compiler.err.illegal.start")
                        || error.getCode().startsWith("compiler.err.invalid.meth.decl")
                        || error.getCode().startsWith("compiler.err.premature"));
        return parsed ? errors.size() : 1_000 + errors.size();
    }

    private static List<Diagnostic<? extends JavaFileObject>> compile(String text) {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options = List.of("-proc:none", "-parameters", "--release", "17", "-classpath", classPath);
        COMPILER.getTask(null, new Nowhere(), found, options, null, List.of(new Text(text)))
                .call();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .toList();
    }

    private static Snippet snippet(String text) {
        return new Snippet("page.md", 1, text);
    }

    /** A compilation unit that may have public types of any name. */
    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }
    }

    /** Writes no class file. */
    private static final class Nowhere extends ForwardingJavaFileManager<StandardJavaFileManager> {

        Nowhere() {
            super(FILES);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(
                    URI.create("mem:///" + className.replace('.', '/') + kind.extension), kind) {
                @Override
                public java.io.OutputStream openOutputStream() {
                    return java.io.OutputStream.nullOutputStream();
                }
            };
        }
    }
}
