package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.LockAttribute;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/**
 * Tests {@code @DistributedLock} and {@code @LockDefaults} on classes and interfaces, and which attributes apply to a
 * method.
 */
class ClassLevelLockTests {

    private static final String HERE = ClassLevelLockTests.class.getName() + "$";

    private final AnnotationLockAttributeSource source = new AnnotationLockAttributeSource(
            text -> text.replace("${empty}", "").replace("${nine}", "9s"));

    @Test
    void classProtectsItsPublicMethods() {
        assertThat(lock(Servers.class, "start")).isEqualTo(LockAttribute.of(servers("start")));
        assertThat(lock(Servers.class, "stop")).isEqualTo(LockAttribute.of(servers("stop")));
        assertThat(lock(Servers.class, "packagePrivate")).isNull();
        assertThat(lock(Servers.class, "hidden")).isNull();
        assertThat(lock(Servers.class, "forAll")).isNull();
        assertThat(lock(Servers.class, "toString")).isNull();
        assertThat(lock(Servers.class, "exempt")).isNull();
    }

    @Test
    void methodOverridesAttributeByAttribute() {
        assertThat(lock(Servers.class, "reboot"))
                .isEqualTo(LockAttribute.of(
                        LockRequest.of("reboot").expire(Duration.ofSeconds(10)).waitTime(Duration.ZERO)));
    }

    @Test
    void textOverridesTheNumberOfTheClass() {
        assertThat(lock(Servers.class, "migrate").request().expire()).isEqualTo(Duration.ofSeconds(9));
        assertThat(lock(Servers.class, "inherits").request().expire())
                .as("an empty placeholder means unset")
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void defaultValueOverridesTheClass() {
        LockAttribute attribute = lock(Strict.class, "relaxed");
        assertThat(attribute.request().reentrant()).isTrue();
        assertThat(attribute.request().renew()).isEqualTo(Renewal.AUTO);
        assertThat(attribute.request().onLost()).isEqualTo(OnLost.THROW);
        assertThat(attribute.whenBusy()).isEqualTo(WhenBusy.FAIL);
    }

    @Test
    void whenBusyAndOnTimeoutOverrideEachOther() {
        assertThat(lock(WithOnTimeout.class, "asTheClass").onTimeout()).isEqualTo("busy");
        assertThat(lock(WithOnTimeout.class, "skips").onTimeout()).isEmpty();
        assertThat(lock(WithOnTimeout.class, "skips").whenBusy()).isEqualTo(WhenBusy.SKIP);
        assertThat(lock(WithOnTimeout.class, "fails"))
                .extracting(LockAttribute::onTimeout)
                .isEqualTo("");
        assertThat(lock(Strict.class, "calls").whenBusy()).isEqualTo(WhenBusy.FAIL);
        assertThat(lock(Strict.class, "calls").onTimeout()).isEqualTo("relaxed");
    }

    @Test
    void classProtectsInheritedMethods() {
        assertThat(lock(Fleet.class, "inherited"))
                .extracting(ClassLevelLockTests::scope)
                .isEqualTo("fleet");
        assertThat(lock(Unprotected.class, "inherited")).isNull();
    }

    @Test
    void superclassProtectsMethodsOfTheSubclass() {
        assertThat(lock(SmallFleet.class, "added"))
                .extracting(ClassLevelLockTests::scope)
                .isEqualTo("fleet");
    }

    @Test
    void nearestClassWins() {
        assertThat(lock(OwnFleet.class, "inherited"))
                .extracting(ClassLevelLockTests::scope)
                .isEqualTo("own");
    }

    @Test
    void interfaceProtectsItsOwnMethodsOnly() {
        assertThat(lock(JobBean.class, "run"))
                .extracting(ClassLevelLockTests::scope)
                .isEqualTo("job");
        assertThat(lock(JobBean.class, "name")).isNull();
        assertThat(source.getLockAttribute(method(Job.class, "run"), JobBean.class))
                .isNotNull();
    }

    @Test
    void lambdaOfAProtectedInterfaceIsProtected() {
        Job job = () -> {};
        assertThat(source.getLockAttribute(method(Job.class, "run"), job.getClass()))
                .isNotNull();
    }

    @Test
    void overridingMethodMayAddOrRemoveALock() {
        assertThat(lock(Again.class, "exempt"))
                .extracting(ClassLevelLockTests::scope)
                .isEqualTo("again");
        assertThat(lock(Again.class, "reboot")).isNull();
        assertThat(lock(Again.class, "start")).isNotNull();
    }

    @Test
    void defaultsAloneProtectNoMethod() {
        assertThat(lock(WithDefaults.class, "plain")).isNull();
    }

    @Test
    void defaultsFillUnsetAttributes() {
        assertThat(lock(WithDefaults.class, "locked"))
                .isEqualTo(LockAttribute.of(LockRequest.of(HERE + "WithDefaults.locked")
                                .expire(Duration.ofSeconds(100))
                                .namespace("tudor")
                                .waitTime(Duration.ofSeconds(5)))
                        .key("'x'"));
        assertThat(lock(WithDefaults.class, "own").request().expire()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void methodOverridesClassAndClassOverridesDefaults() {
        LockRequest request = lock(AllLevels.class, "locked").request();
        assertThat(request.expire()).isEqualTo(Duration.ofSeconds(1));
        assertThat(request.waitTime().duration()).isEqualTo(Duration.ofSeconds(2));
        assertThat(request.stallTime()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void defaultsOfASuperclassAndOfAnInterfaceApply() {
        assertThat(lock(ChildOfWithDefaults.class, "another").request().namespace())
                .isEqualTo("tudor");
        assertThat(lock(TimedBean.class, "tick").request().expire()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void composedAnnotationOnAClassMaySetOneValue() {
        LockRequest request = lock(WithComposedAnnotation.class, "work").request();
        assertThat(request.reentrant()).isFalse();
        assertThat(request.renew()).isEqualTo(Renewal.NEVER);
        assertThat(request.onLost()).isEqualTo(OnLost.LOG);
        assertThat(request.expire()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void defaultsHaveTheAttributesOfTheLock() {
        Map<String, String> lock = attributes(DistributedLock.class);
        lock.remove("value");
        assertThat(attributes(LockDefaults.class)).isEqualTo(lock);
    }

    private static Map<String, String> attributes(Class<? extends Annotation> type) {
        Map<String, String> attributes = new TreeMap<>();
        for (Method method : type.getDeclaredMethods()) {
            Object value = method.getDefaultValue();
            String text = value.getClass().isArray()
                    ? "array of " + java.lang.reflect.Array.getLength(value)
                    : value.toString();
            attributes.put(method.getName(), method.getReturnType().getName() + " " + text);
        }
        return attributes;
    }

    private static LockRequest servers(String method) {
        return LockRequest.of(HERE + "Servers." + method).expire(Duration.ofSeconds(10));
    }

    private static String scope(LockAttribute attribute) {
        return attribute.request().targets().get(0).scope();
    }

    private @Nullable LockAttribute lock(Class<?> type, String method) {
        return source.getLockAttribute(method(type, method), type);
    }

    private static Method method(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    return method;
                }
            }
        }
        throw new AssertionError(name + " of " + type + ": " + Arrays.toString(type.getMethods()));
    }

    @DistributedLock(expire = 10)
    public static class Servers {

        public void start() {}

        public void stop() {}

        @DistributedLock(scope = "reboot", waitTime = 0)
        public void reboot() {}

        @DistributedLock(expireString = "${nine}")
        public void migrate() {}

        @DistributedLock(expireString = "${empty}")
        public void inherits() {}

        @NoDistributedLock
        public void exempt() {}

        void packagePrivate() {}

        @SuppressWarnings("unused")
        private void hidden() {}

        public static void forAll() {}

        @Override
        public String toString() {
            return "servers";
        }
    }

    @DistributedLock(
            reentrant = false,
            renew = Renewal.ALWAYS,
            onLost = OnLost.LOG,
            whenBusy = WhenBusy.SKIP,
            scope = "strict")
    public static class Strict {

        @DistributedLock(reentrant = true, renew = Renewal.AUTO, onLost = OnLost.THROW, whenBusy = WhenBusy.FAIL)
        public void relaxed() {}

        @DistributedLock(onTimeout = "relaxed")
        public void calls() {}
    }

    @DistributedLock(scope = "answering", onTimeout = "busy")
    public static class WithOnTimeout {

        public void asTheClass() {}

        @DistributedLock(whenBusy = WhenBusy.SKIP)
        public void skips() {}

        @DistributedLock(whenBusy = WhenBusy.FAIL)
        public void fails() {}
    }

    public static class Unprotected {
        public void inherited() {}
    }

    @DistributedLock("fleet")
    public static class Fleet extends Unprotected {}

    public static class SmallFleet extends Fleet {
        public void added() {}
    }

    @DistributedLock("own")
    public static class OwnFleet extends Fleet {}

    @DistributedLock("job")
    public interface Job {
        void run();
    }

    public static class JobBean implements Job {
        @Override
        public void run() {}

        public void name() {}
    }

    public static class Again extends Servers {
        @Override
        @DistributedLock("again")
        public void exempt() {}

        @Override
        @NoDistributedLock
        public void reboot() {}
    }

    @LockDefaults(expire = 100, namespace = "tudor", waitTimeString = "5s")
    public static class WithDefaults {

        public void plain() {}

        @DistributedLock(key = "'x'")
        public void locked() {}

        @DistributedLock(expire = 3)
        public void own() {}
    }

    public static class ChildOfWithDefaults extends WithDefaults {
        @DistributedLock
        public void another() {}
    }

    @LockDefaults(expire = 7)
    public interface Ticker {
        @DistributedLock
        void tick();
    }

    public static class TimedBean implements Ticker {
        @Override
        public void tick() {}
    }

    @LockDefaults(expire = 9, waitTime = 9, stallTimeString = "3s")
    @DistributedLock(expire = 8, waitTime = 2)
    public static class AllLevels {
        @DistributedLock(expire = 1)
        public void locked() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(scope = "composed", onLost = OnLost.LOG)
    @interface TeamLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "reentrant")
        boolean[] again() default true;

        @AliasFor(annotation = DistributedLock.class, attribute = "renew")
        Renewal renewed() default Renewal.NEVER;

        @AliasFor(annotation = DistributedLock.class, attribute = "expire")
        long seconds();
    }

    @TeamLock(again = false, seconds = 4)
    public static class WithComposedAnnotation {
        public void work() {}
    }
}
