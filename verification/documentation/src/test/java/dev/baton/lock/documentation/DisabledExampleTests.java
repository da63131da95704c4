package dev.baton.lock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ReflectionUtils;

/** Tests that examples of the pages run with {@code baton.enabled=false}, where no Redis answers. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DisabledExampleTests {

    private static final String DISABLED = "nothing is locked";

    private final ClassLoader outer = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path sources;

    @TempDir
    private Path classes;

    private URLClassLoader loader;

    @BeforeEach
    void createLoader() throws IOException {
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, outer);
        Thread.currentThread().setContextClassLoader(loader);
    }

    @AfterEach
    void closeLoader() throws IOException {
        Thread.currentThread().setContextClassLoader(outer);
        loader.close();
    }

    @Test
    void applicationOfTheReadmePrintsTheResultOfItsLockedMethod(CapturedOutput output) throws Exception {
        compile("README.md", "@SpringBootApplication", "Application.java");
        Method main = loader.loadClass("com.example.Application").getMethod("main", String[].class);
        SpringApplication.Running application = SpringApplication.from(
                        args -> ReflectionUtils.invokeMethod(main, null, (Object) args))
                .run(arguments());
        application.getApplicationContext().close();
        assertThat(output).contains("Server 42 runs version 1.1", DISABLED);
    }

    @Test
    void methodOfGettingStartedReadsItsTokenFromTheCurrentLease(CapturedOutput output) throws Exception {
        compile("docs/getting-started.md", "LockContext.currentLease()", "DeploymentService.java");
        Class<?> service = loader.loadClass("DeploymentService");
        SpringApplication application = new SpringApplication(Application.class);
        application.addInitializers(context -> ((GenericApplicationContext) context).registerBean(service));
        try (ConfigurableApplicationContext context = application.run(arguments())) {
            Method deploy = service.getMethod("deploy", String.class, String.class);
            ReflectionUtils.makeAccessible(deploy);
            assertThat(ReflectionUtils.invokeMethod(deploy, context.getBean(service), "42", "1.2"))
                    .asString()
                    .matches("1\\.2 on server 42, token [1-9]\\d*");
        }
        assertThat(output).contains(DISABLED);
    }

    /** Compiles the only block of a page that contains this text. */
    private void compile(String page, String text, String file) throws IOException {
        List<Snippet> found = Snippet.in(Pages.ROOT.resolve(page)).stream()
                .filter(snippet -> snippet.text().contains(text))
                .toList();
        assertThat(found).as("blocks of %s with %s", page, text).hasSize(1);
        Path source = Files.writeString(sources.resolve(file), found.get(0).text());
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options =
                List.of("-proc:none", "-parameters", "--release", "17", "-classpath", classPath, "-d", classes + "");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .as("whether the block of %s compiles", page)
                    .isTrue();
        }
    }

    /** Leaves out what the class path of all pages adds: the web servers, and a database without a driver. */
    private static String[] arguments() throws IOException {
        return new String[] {
            "--baton.enabled=false",
            "--spring.data.redis.host=127.0.0.1",
            "--spring.data.redis.port=" + unusedPort(),
            "--spring.main.web-application-type=none",
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        };
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** An application without components; the test adds the one of the page. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
