package dev.baton.lock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that the layers of the libraries point one way: every package is listed with the packages of Baton that it may
 * import, most of which the modules enforce already.
 */
class LayerTests {

    private static final String ROOT = "dev.baton.lock";

    private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(Libraries.LOCKS);

    @Test
    void rootImportsNoOtherPackageOfOurs() {
        imports("");
    }

    @Test
    void annotationImportsRootAndTheAttributeItBecomes() {
        imports("annotation", "", "interceptor");
    }

    @Test
    void interceptorImportsContractsOnly() {
        imports("interceptor", "");
    }

    @Test
    void partsOfTheEngineAreStacked() {
        imports("engine.event", "", "time");
        imports("engine.ticket", "", "store", "time", "engine.event");
        imports("engine.lease", "", "store", "time", "engine.event", "engine.ticket");
        imports("engine.wait", "", "store", "time", "engine.event", "engine.ticket", "engine.lease");
        imports("engine.cohort", "", "store", "time", "engine.event", "engine.ticket", "engine.lease", "engine.wait");
        imports("engine", "", "store", "time");
    }

    @Test
    void timeImportsNothingOfOurs() {
        imports("time");
    }

    @Test
    void storeImportsRootOnly() {
        imports("store", "");
    }

    @Test
    void redisKnowsNoEngine() {
        imports("redis", "", "store", "time");
    }

    @Test
    void cacheImportsContractsOnly() {
        imports("cache", "");
    }

    @Test
    void reactiveImportsContractsAndTheInterceptor() {
        imports("reactive", "", "interceptor");
    }

    @Test
    void onlyReactiveNeedsReactor() {
        noClasses()
                .that()
                .resideOutsideOfPackage(layer("reactive"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor..", "org.reactivestreams..")
                .because("locks work without Reactor on the class path")
                .check(CLASSES);
    }

    @Test
    void everyPackageIsListedHere() {
        Set<String> listed = Set.of(
                "",
                "annotation",
                "interceptor",
                "support",
                "engine",
                "store",
                "time",
                "redis",
                "cache",
                "reactive",
                "aot");
        noClasses()
                .should()
                .resideOutsideOfPackages(listed.stream().map(LayerTests::layer).toArray(String[]::new))
                .because("a new package needs its place among the layers")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void aotImportsTheAnnotationAndTheInterceptor() {
        imports("aot", "", "annotation", "interceptor");
    }

    @Test
    void partsOfTheInterceptorAreStacked() {
        imports("interceptor.expression", "", "interceptor.");
        imports("interceptor.fallback", "", "interceptor.", "interceptor.expression");
        imports("interceptor.async", "", "interceptor.", "interceptor.fallback");
        imports("interceptor.transaction", "", "interceptor.");
        imports(
                "interceptor.advice",
                "",
                "interceptor.",
                "interceptor.expression",
                "interceptor.fallback",
                "interceptor.async",
                "interceptor.transaction");
        imports("interceptor.validation", "", "interceptor");
    }

    @Test
    void partsOfTheStoreOnRedisAreStacked() {
        imports("redis.key", "", "store", "time");
        imports("redis.command", "", "store");
        imports("redis.script", "", "store", "redis.key", "redis.command");
        imports("redis.pubsub", "", "store", "redis.key");
        imports("redis.client", "redis.key", "redis.script", "redis.pubsub");
        imports(
                "redis.cluster",
                "",
                "store",
                "redis.key",
                "redis.script",
                "redis.pubsub",
                "redis.client",
                "redis.transaction");
        imports(
                "redis.failover",
                "",
                "store",
                "time",
                "redis.key",
                "redis.command",
                "redis.script",
                "redis.transaction");
        imports("redis.lettuce", "", "store", "time", "redis.key", "redis.script", "redis.pubsub", "redis.client");
        imports("redis.jedis", "", "store", "time", "redis.key", "redis.script", "redis.pubsub", "redis.client");
        imports("redis.transaction", "", "store", "time", "redis.key", "redis.command", "redis.lettuce");
    }

    private static void imports(String layer, String... allowed) {
        Set<String> packages = Arrays.stream(allowed).map(LayerTests::layer).collect(Collectors.toSet());
        packages.add(layer(layer));
        noClasses()
                .that()
                .resideInAPackage(layer(layer))
                .should()
                .dependOnClassesThat(oursOutside(packages))
                .because("the layers point one way")
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> oursOutside(Set<String> packages) {
        return JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(packages.toArray(String[]::new)));
    }

    /** The root and a name that ends in a dot mean one package. Every other name includes the subpackages. */
    private static String layer(String name) {
        if (name.endsWith(".")) {
            return ROOT + "." + name.substring(0, name.length() - 1);
        }
        return name.isEmpty() ? ROOT : ROOT + "." + name + "..";
    }
}
