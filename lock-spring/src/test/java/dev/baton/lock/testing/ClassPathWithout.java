package dev.baton.lock.testing;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;

/** The class path of the tests, loaded again without some packages. */
public final class ClassPathWithout extends URLClassLoader {

    private final List<String> packages;

    private ClassPathWithout(List<String> packages) {
        super(classPath(), ClassLoader.getPlatformClassLoader());
        this.packages = packages;
    }

    /** Runs a public class, loaded without these packages. The class needs a constructor without parameters. */
    public static void run(Class<? extends Runnable> check, String... packages) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (ClassPathWithout classLoader = new ClassPathWithout(List.of(packages))) {
            Thread.currentThread().setContextClassLoader(classLoader);
            Class<?> loaded = classLoader.loadClass(check.getName());
            if (loaded == check) {
                throw new IllegalStateException(check + " was not loaded again");
            }
            ((Runnable) loaded.getDeclaredConstructor().newInstance()).run();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (packages.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name);
        }
        return super.findClass(name);
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(ClassPathWithout::url)
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
