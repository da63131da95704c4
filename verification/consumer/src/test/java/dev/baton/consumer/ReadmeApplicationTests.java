package dev.baton.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.baton.lock.LockListener;
import dev.baton.lock.annotation.DistributedLock;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.ReflectionUtils;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/**
 * Tests that the application of the README runs with the published artifacts, on the Spring Boot of this project: on a
 * real Redis, and with locks switched off. {@code run.sh} passes the names and versions as system properties.
 */
class ReadmeApplicationTests {

    private static RedisServer redis;

    @BeforeAll
    static void startRedis() throws IOException {
        RedisServerBuilder server = RedisServer.newRedisServer()
                .port(freePort())
                .bind("127.0.0.1")
                .setting("save \"\"")
                .onShutdownForceStop(true);
        String binary = System.getProperty("redis.server", "");
        if (!binary.isEmpty()) {
            server.executableProvider(() -> new File(binary));
        }
        redis = server.build();
        redis.start();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.stop();
    }

    @Test
    void lockedMethodRunsUnderItsLock() throws Exception {
        Recorder recorder = new Recorder();
        Class<?> type = Class.forName(property("application.class"));
        SpringApplication application = new SpringApplication(type);
        application.addInitializers(context ->
                ((GenericApplicationContext) context).registerBean("recorder", LockListener.class, () -> recorder));
        String port = "--spring.data.redis.port=" + redis.ports().get(0);
        try (ConfigurableApplicationContext context = application.run("--spring.data.redis.host=127.0.0.1", port)) {
            if (recorder.granted.isEmpty()) { // the application did not call the method while it started
                callLockedMethods(context, type.getPackageName());
            }
            assertThat(recorder.granted).isNotEmpty().allSatisfy(token -> assertThat(token).isPositive());
            assertThat(recorder.released).containsExactlyElementsOf(recorder.granted);
            assertThat(context.getBean(StringRedisTemplate.class).keys("lock*")).isNotEmpty();
        }
    }

    @Test
    void lockedMethodRunsWithoutRedisWhereLocksAreSwitchedOff() throws Exception {
        Class<?> type = Class.forName(property("application.class"));
        String port = "--spring.data.redis.port=" + freePort(); // no server listens on it
        try (ConfigurableApplicationContext context = new SpringApplication(type)
                .run("--baton.enabled=false", "--spring.data.redis.host=127.0.0.1", port)) {
            assertThat(callLockedMethods(context, type.getPackageName()))
                    .isNotEmpty()
                    .doesNotContainNull();
        }
    }

    @Test
    void batonHasThePublishedVersionAndSpringBootThatOfTheApplication() throws IOException {
        Map<String, String> baton = versions("dev.baton.lock.");
        assertThat(baton)
                .containsOnlyKeys(
                        "dev.baton.lock.autoconfigure",
                        "dev.baton.lock.autoconfigure.boot3",
                        "dev.baton.lock.core",
                        "dev.baton.lock.redis",
                        "dev.baton.lock.spring",
                        "dev.baton.lock.starter");
        assertThat(baton.values()).containsOnly(property("published.version"));
        assertThat(versions("spring.boot").values()).isNotEmpty().containsOnly(property("boot.version"));
    }

    /** Returns the versions of the modules on the class path whose names begin so, by module. */
    private static Map<String, String> versions(String prefix) throws IOException {
        Map<String, String> versions = new TreeMap<>();
        for (URL url : Collections.list(
                ReadmeApplicationTests.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
            try (InputStream in = url.openStream()) {
                Attributes attributes = new Manifest(in).getMainAttributes();
                String module = attributes.getValue("Automatic-Module-Name");
                if (module != null && module.startsWith(prefix)) {
                    versions.put(module, attributes.getValue("Implementation-Version"));
                }
            }
        }
        return versions;
    }

    /** Calls each method with a lock, and returns the results. */
    private static List<Object> callLockedMethods(ConfigurableApplicationContext context, String packageName) {
        List<Object> results = new ArrayList<>();
        for (String name : context.getBeanDefinitionNames()) {
            Object bean = context.getBean(name);
            Class<?> type = AopUtils.getTargetClass(bean);
            if (!type.getPackageName().startsWith(packageName)) {
                continue; // a signature of the framework may name a type that is not on the class path
            }
            for (Method method : type.getDeclaredMethods()) {
                if (AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class)) {
                    Method callable = AopUtils.selectInvocableMethod(method, bean.getClass());
                    ReflectionUtils.makeAccessible(callable);
                    results.add(ReflectionUtils.invokeMethod(callable, bean, arguments(callable)));
                }
            }
        }
        return results;
    }

    private static Object[] arguments(Method method) {
        return Stream.of(method.getParameters())
                .map(ReadmeApplicationTests::argument)
                .toArray();
    }

    private static Object argument(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == String.class) {
            return "42";
        } else if (type == int.class || type == Integer.class) {
            return 42;
        } else if (type == long.class || type == Long.class) {
            return 42L;
        }
        return fail(
                "No value for parameter '%s' of %s. Call the method when the application starts, or add a value here.",
                parameter, parameter.getDeclaringExecutable());
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        assertThat(value).as("system property " + name + ", which run.sh sets").isNotBlank();
        return value;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Records the tokens of grants and releases. */
    private static final class Recorder implements LockListener {

        private final List<Long> granted = new CopyOnWriteArrayList<>();
        private final List<Long> released = new CopyOnWriteArrayList<>();

        @Override
        public void granted(Granted event) {
            granted.add(event.fencingToken());
        }

        @Override
        public void released(Released event) {
            released.add(event.fencingToken());
        }
    }
}
