package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.LockAttribute;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.PropertyPlaceholderHelper;
import org.springframework.util.ReflectionUtils;

class AnnotationLockAttributeSourceTests {

    private static final String HERE = AnnotationLockAttributeSourceTests.class.getName() + "$";

    private final Map<String, String> properties = Map.of("scope", "orders", "lease", "500ms", "wait", "unbounded");

    private final AnnotationLockAttributeSource source = new AnnotationLockAttributeSource(text ->
            new PropertyPlaceholderHelper("${", "}", ":", '\\', false).replacePlaceholders(text, properties::get));

    @Test
    void readsEveryAttribute() {
        assertThat(attribute(Explicit.class, "full"))
                .isEqualTo(LockAttribute.of(LockRequest.of("server_access")
                                .expire(Duration.ofSeconds(10))
                                .waitTime(Duration.ofSeconds(2))
                                .stallTime(Duration.ofSeconds(3))
                                .recheck(Duration.ofMillis(200))
                                .waitStrategy(WaitStrategy.POLLING)
                                .pollingInterval(Duration.ofMillis(20))
                                .holdAtLeast(Duration.ofSeconds(4))
                                .renew(Renewal.ALWAYS)
                                .reentrant(false)
                                .onLost(OnLost.INTERRUPT)
                                .namespace("shop"))
                        .key("#tenant", "#id")
                        .condition("#id > 0")
                        .owner("#tenant")
                        .whenBusy(WhenBusy.SKIP));
    }

    @Test
    void unsetAttributesAreLeftToTheConfiguration() {
        assertThat(attribute(Explicit.class, "byValue")).isEqualTo(LockAttribute.of(LockRequest.of("report")));
    }

    @Test
    void minusOneMeansUnset() {
        assertThat(attribute(Explicit.class, "minusOne").request().expire()).isNull();
        assertThat(attribute(Explicit.class, "minusOne").request().waitTime()).isNull();
    }

    @Test
    void zeroWaitTimeMeansNoWait() {
        assertThat(attribute(Explicit.class, "noWait").request().waitTime()).isEqualTo(WaitTime.none());
    }

    @Test
    void readsDurationsWithUnits() {
        LockAttribute attribute = attribute(Explicit.class, "texts");
        assertThat(attribute.request().expire()).isEqualTo(Duration.ofMillis(1500));
        assertThat(attribute.request().waitTime()).isEqualTo(WaitTime.of(Duration.ofSeconds(3)));
    }

    @Test
    void replacesPlaceholders() {
        assertThat(attribute(Explicit.class, "placeholders"))
                .isEqualTo(LockAttribute.of(LockRequest.of("orders")
                                .expire(Duration.ofMillis(500))
                                .waitUnbounded()
                                .stallTime(Duration.ofMillis(500))
                                .recheck(Duration.ofMillis(500))
                                .pollingInterval(Duration.ofMillis(500))
                                .holdAtLeast(Duration.ofMillis(500))
                                .namespace("orders"))
                        .onTimeout("orders"));
    }

    @Test
    void emptyPlaceholderMeansUnset() {
        assertThat(attribute(Explicit.class, "emptyPlaceholders").request().expire())
                .isNull();
        assertThat(attribute(Explicit.class, "emptyPlaceholders").request().waitTime())
                .isNull();
    }

    @Test
    void methodWithoutAnnotationHasNoLock() {
        assertThat(source.getLockAttribute(method(Explicit.class, "unlocked"), Explicit.class))
                .isNull();
        assertThat(source.getLockAttribute(method(Object.class, "toString"), Explicit.class))
                .isNull();
    }

    @Test
    void emptyScopeIsClassAndMethod() {
        assertThat(scope(attribute(Unnamed.class, "close"))).isEqualTo(HERE + "Unnamed.close");
    }

    @Test
    void emptyScopeOfAnOverloadedMethodHasItsParameterTypes() {
        Method withTypes = ReflectionUtils.findMethod(Unnamed.class, "open", String.class, int[].class);
        Method without = ReflectionUtils.findMethod(Unnamed.class, "open");
        assertThat(scope(attribute(Unnamed.class, withTypes))).isEqualTo(HERE + "Unnamed.open(java.lang.String,int[])");
        assertThat(scope(attribute(Unnamed.class, without))).isEqualTo(HERE + "Unnamed.open()");
    }

    @Test
    void emptyScopeOfAnInheritedMethodNamesTheClassOfTheBean() {
        assertThat(source.getLockAttribute(method(Unnamed.class, "close"), UnnamedChild.class))
                .extracting(attribute -> attribute.request().targets().get(0).scope())
                .isEqualTo(HERE + "UnnamedChild.close");
    }

    @Test
    void emptyScopeOfALambdaNamesItsInterface() {
        Job job = name -> {};
        assertThat(source.getLockAttribute(method(Job.class, "run"), job.getClass()))
                .extracting(attribute -> attribute.request().targets().get(0).scope())
                .isEqualTo(HERE + "Job.run");
    }

    @Test
    void emptyScopeOfAMethodRunByAnUnrelatedClassNamesItsInterface() {
        assertThat(source.getLockAttribute(method(Repository.class, "save"), GenericRepository.class))
                .extracting(attribute -> attribute.request().targets().get(0).scope())
                .isEqualTo(HERE + "Repository.save");
    }

    @Test
    void implementationAndOverridingDoNotCountAsOverloading() {
        assertThat(scope(attribute(StringTask.class, "perform"))).isEqualTo(HERE + "StringTask.perform");
    }

    @Test
    void findsTheAnnotationOfAnInterface() {
        assertThat(scope(attribute(JobBean.class, "run"))).isEqualTo(HERE + "JobBean.run");
    }

    @Test
    void findsTheAnnotationThroughABridgeMethod() {
        Method bridge = Arrays.stream(StringTask.class.getDeclaredMethods())
                .filter(Method::isBridge)
                .findFirst()
                .orElseThrow();
        assertThat(attribute(StringTask.class, bridge).locks().get(0).key()).containsExactly("#p0");
        assertThat(source.getLockAttribute(method(Task.class, "perform"), StringTask.class))
                .extracting(attribute -> attribute.locks().get(0).key())
                .isEqualTo(List.of("#p0"));
    }

    @Test
    void findsTheAnnotationOfAnInterfaceOfTheSubclassOnly() {
        Method inherited = ReflectionUtils.findMethod(PlainRunner.class, "run", String.class);
        assertThat(source.getLockAttribute(inherited, RunnerJob.class)).isNotNull();
        assertThat(source.getLockAttribute(inherited, PlainRunner.class)).isNull();
    }

    @Test
    void nearestAnnotationWins() {
        assertThat(scope(attribute(NearJob.class, "run"))).isEqualTo("near");
    }

    @Test
    void readsComposedAnnotations() {
        assertThat(attribute(Explicit.class, "composed"))
                .isEqualTo(LockAttribute.of(LockRequest.of("server_access").expire(Duration.ofSeconds(5)))
                        .key("#id"));
    }

    @Test
    void readsAMethodOnce() {
        assertThat(attribute(Explicit.class, "full")).isSameAs(attribute(Explicit.class, "full"));
    }

    @Test
    void classesOfTheJdkAreNoCandidates() {
        assertThat(source.isCandidateClass(String.class)).isFalse();
        assertThat(source.isCandidateClass(Explicit.class)).isTrue();
    }

    private static String scope(LockAttribute attribute) {
        return attribute.request().targets().get(0).scope();
    }

    private LockAttribute attribute(Class<?> type, String method) {
        return attribute(type, method(type, method));
    }

    private LockAttribute attribute(Class<?> type, @Nullable Method method) {
        assertThat(method).isNotNull();
        LockAttribute attribute = source.getLockAttribute(method, type);
        assertThat(attribute).isNotNull();
        return attribute;
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .findFirst()
                .orElseThrow();
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(scope = "server_access", expire = 5)
    public @interface ServerLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "key")
        String[] server();
    }

    public static class Explicit {

        @DistributedLock(
                scope = "server_access",
                key = {"#tenant", "#id"},
                expire = 10,
                waitTime = 2,
                stallTimeString = "3s",
                holdAtLeastString = "4s",
                renew = Renewal.ALWAYS,
                mode = LockMode.EXCLUSIVE,
                reentrant = false,
                condition = "#id > 0",
                whenBusy = WhenBusy.SKIP,
                onLost = OnLost.INTERRUPT,
                namespace = "shop",
                owner = "#tenant",
                recheckString = "200ms",
                waitStrategy = WaitStrategy.POLLING,
                pollingIntervalString = "20ms")
        public void full(String tenant, long id) {}

        @DistributedLock("report")
        public void byValue() {}

        @DistributedLock(value = "report", expire = -1, waitTime = -1)
        public void minusOne() {}

        @DistributedLock(scope = "report", waitTime = 0)
        public void noWait() {}

        @DistributedLock(scope = "report", expireString = "1500ms", waitTimeString = "PT3S")
        public void texts() {}

        @DistributedLock(
                scope = "${scope}",
                expireString = "${lease}",
                waitTimeString = "${wait}",
                stallTimeString = "${lease}",
                holdAtLeastString = "${lease}",
                onTimeout = "${scope}",
                namespace = "${scope}",
                recheckString = "${lease}",
                pollingIntervalString = "${lease}")
        public void placeholders() {}

        @DistributedLock(scope = "report", expireString = "${none:}", waitTimeString = "${none:}")
        public void emptyPlaceholders() {}

        @ServerLock(server = "#id")
        public void composed(long id) {}

        public void unlocked() {}
    }

    public static class Unnamed {

        @DistributedLock
        public void close() {}

        @DistributedLock
        public void open() {}

        @DistributedLock
        public void open(String name, int[] numbers) {}
    }

    public static class UnnamedChild extends Unnamed {}

    public interface Job {

        @DistributedLock
        void run(String name);
    }

    public static class JobBean implements Job {

        @Override
        public void run(String name) {}
    }

    public static class NearJob implements Job {

        @Override
        @DistributedLock("near")
        public void run(String name) {}
    }

    public static class PlainRunner {

        public void run(String name) {}
    }

    public static class RunnerJob extends PlainRunner implements Job {}

    public interface Task<T> {

        @DistributedLock(key = "#p0")
        void perform(T subject);
    }

    public static class StringTask implements Task<String> {

        @Override
        public void perform(String subject) {}
    }

    public interface Repository {

        @DistributedLock
        void save(String entity);
    }

    public static class GenericRepository {

        public void save(String entity) {}
    }
}
