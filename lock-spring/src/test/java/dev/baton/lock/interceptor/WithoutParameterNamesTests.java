package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Tests a class compiled with and without {@code -parameters}, which corresponds to {@code -java-parameters} of Kotlin.
 */
class WithoutParameterNamesTests {

    @TempDir
    Path folder;

    @Test
    void variableByNameFailsTheStart() throws Exception {
        assertNameless(compile("#id", "-g:none"));
    }

    /** The names of local variables, which debuggers use, are not read. */
    @Test
    void debugInformationIsNotUsedForParameterNames() throws Exception {
        assertNameless(compile("#id", "-g"));
    }

    @Test
    void variableByPositionNeedsNoNames() throws Exception {
        assertThat(lockedName(compile("#p0", "-g:none"))).isEqualTo("orders.42");
    }

    @Test
    void variableByNameWorksIfCompiledWithParameters() throws Exception {
        assertThat(lockedName(compile("#id", "-parameters"))).isEqualTo("orders.42");
    }

    private static void assertNameless(URLClassLoader compiled) throws Exception {
        try (URLClassLoader classes = compiled) {
            Class<?> bean = classes.loadClass("Nameless");
            LockDefinitionException failure = LockedContext.failure(bean);
            assertThat(failure.beanClass()).isEqualTo(bean);
            assertThat(failure.methodSignature()).isEqualTo("close(String)");
            assertThat(failure.attribute()).hasValue("key");
            assertThat(failure.problem())
                    .isEqualTo("'#id' uses #id, but the names of the parameters are not in the class file");
            assertThat(failure.action())
                    .isEqualTo(
                            "Compile with -parameters (in Kotlin -java-parameters, or add kotlin-reflect), or write #p0 for the first"
                                    + " parameter.");
        }
    }

    private String lockedName(URLClassLoader compiled) throws Exception {
        try (URLClassLoader classes = compiled) {
            Class<?> bean = classes.loadClass("Nameless");
            // in the class loader of the proxies
            Thread.currentThread().setContextClassLoader(classes);
            try (AnnotationConfigApplicationContext context = LockedContext.start(bean)) {
                Object proxy = context.getBean(bean);
                proxy.getClass().getMethod("close", String.class).invoke(proxy, "42");
                return context.getBean(FakeLockOperations.class)
                        .requests()
                        .get(0)
                        .name();
            } finally {
                Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
            }
        }
    }

    private URLClassLoader compile(String key, String option) throws IOException {
        Path source = Files.writeString(
                folder.resolve("Nameless.java"),
                "public class Nameless { @dev.baton.lock.annotation.DistributedLock(scope = \"orders\", key = \"" + key
                        + "\") public void close(String id) {} }");
        String[] options = {
            option,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString(),
            source.toString()
        };
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options))
                .isZero();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
    }
}
