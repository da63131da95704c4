package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.testing.LockedContext;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class that was compiled without {@code -parameters} and without debug information. */
class WithoutParameterNamesTests {

    @TempDir
    Path folder;

    @Test
    void variableByNameFailsTheStart() throws Exception {
        try (URLClassLoader classes = compile()) {
            Class<?> bean = classes.loadClass("Nameless");
            LockDefinitionException failure = LockedContext.failure(bean);
            assertThat(failure.getBeanClass()).isEqualTo(bean);
            assertThat(failure.getMethodSignature()).isEqualTo("close(String)");
            assertThat(failure.getAttribute()).hasValue("key");
            assertThat(failure.getProblem())
                    .isEqualTo("'#id' uses #id, but the names of the parameters are not in the class file");
            assertThat(failure.getAction())
                    .isEqualTo("Compile with -parameters, or write #p0 for the first parameter.");
        }
    }

    private URLClassLoader compile() throws IOException {
        Path source = Files.writeString(
                folder.resolve("Nameless.java"),
                "public class Nameless { @dev.baton.lock.annotation.DistributedLock(key = \"#id\")"
                        + " public void close(String id) {} }");
        String[] options = {
            "-g:none",
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
