package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class WithoutSpringTxTests {

    @Test
    void locksWithoutSpringTx() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (WithoutTransactions classLoader = new WithoutTransactions()) {
            Thread.currentThread().setContextClassLoader(classLoader);
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> classLoader.loadClass(
                            "org.springframework.transaction.support.TransactionSynchronizationManager"));
            Class<?> check = classLoader.loadClass(Check.class.getName());
            assertThat(check).isNotSameAs(Check.class);
            ((Runnable) check.getDeclaredConstructor().newInstance()).run();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Loaded where there is no spring-tx. */
    public static class Check implements Runnable {

        @Override
        public void run() {
            try (AnnotationConfigApplicationContext context = LockedContext.start(Service.class)) {
                context.getBean(Service.class).close();
                assertThat(context.getBean(FakeLockOperations.class).requests()).hasSize(1);
            }
        }
    }

    public static class Service {
        @DistributedLock("orders")
        public void close() {}
    }

    /** The class path of the tests, loaded anew without spring-tx. */
    private static final class WithoutTransactions extends URLClassLoader {

        WithoutTransactions() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.springframework.transaction.")) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(WithoutTransactions::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String path) {
            try {
                return new File(path).toURI().toURL();
            } catch (MalformedURLException ex) {
                throw new IllegalStateException(ex);
            }
        }
    }
}
