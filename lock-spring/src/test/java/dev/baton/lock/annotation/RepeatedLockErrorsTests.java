package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.testing.LockedContext;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that repeated annotations which contradict each other fail the start, with both values and the remedy. */
class RepeatedLockErrorsTests {

    private static final String ONE_REQUEST = " are both given, and the locks of one place are one request";
    private static final String SAME = "Write it on one of the annotations, or the same value on each.";
    private static final String TWICE = "Remove one of the two, or give it another scope or key.";

    @ParameterizedTest(name = "{0}")
    @MethodSource({"differentValues", "locks"})
    void failsTheStart(Class<?> bean, @Nullable String attribute, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(Map.of("wait", "3s"), bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute().orElse(null)).isEqualTo(attribute);
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action);
    }

    static Stream<Arguments> differentValues() {
        return Stream.of(
                different(Expires.class, "expire", "expire = 10 and expireString = '20s'"),
                different(Waits.class, "waitTimeString", "waitTimeString = '3s' (from '${wait}') and waitTime = 2"),
                different(Stalls.class, "stallTimeString", "stallTimeString = '1s' and stallTimeString = '2s'"),
                different(Rechecks.class, "recheckString", "recheckString = '1s' and recheckString = '2s'"),
                different(Holds.class, "holdAtLeastString", "holdAtLeastString = '1s' and holdAtLeastString = '2s'"),
                different(Renewals.class, "renew", "renew = ALWAYS and renew = NEVER"),
                different(Reentries.class, "reentrant", "reentrant = false and reentrant = true"),
                different(Conditions.class, "condition", "condition = '#id == null' and condition = 'true'"),
                different(Answers.class, "whenBusy", "whenBusy = SKIP and onTimeout = 'busy'"),
                different(Handlers.class, "onTimeout", "onTimeout = 'busy' and onTimeout = 'other'"),
                different(Losses.class, "onLost", "onLost = LOG and onLost = THROW"),
                different(Namespaces.class, "namespace", "namespace = 'shop' and namespace = 'stock'"),
                different(Owners.class, "owner", "owner = '#id' and owner = '#p0'"),
                arguments(
                        OfTheClass.class,
                        "expire",
                        "expire = 10 and expire = 20" + ONE_REQUEST + " (in @DistributedLock of "
                                + OfTheClass.class.getName() + ")",
                        SAME));
    }

    private static Arguments different(Class<?> bean, String attribute, String values) {
        return arguments(bean, attribute, values + ONE_REQUEST, SAME);
    }

    static Stream<Arguments> locks() {
        String scope = "2 of its locks have no scope, and the scope of class and method names only one";
        String ofClass = " is not written, and @DistributedLock of " + ScopeOfTheClass.class.getName();
        return Stream.of(
                arguments(Unnamed.class, "scope", scope, "Write the scope of each; one lock may go without."),
                arguments(SameLock.class, "key", "the lock 'order.global' is declared twice", TWICE),
                arguments(SameLiteral.class, "key", "the lock 'order.global' is declared twice", TWICE),
                arguments(SameKey.class, "key", "the lock 'order.#id:7' is declared twice", TWICE),
                arguments(
                        ScopeOfTheClass.class,
                        "scope",
                        "scope" + ofClass + " has several: 'order' and 'customer'",
                        "Write scope on the method."),
                arguments(
                        KeyOfTheClass.class,
                        "key",
                        "key is not written, and @DistributedLock of " + KeyOfTheClass.class.getName()
                                + " has several: '[#p0]' and none",
                        "Write key on the method, as \"'global'\" for a lock without a key."),
                arguments(
                        Empty.class,
                        null,
                        "@DistributedLocks is empty, so it declares no lock",
                        "Write at least one @DistributedLock in it, or remove it."),
                arguments(
                        EmptyOnTheClass.class,
                        null,
                        "@DistributedLocks of " + EmptyOnTheClass.class.getName() + " is empty, so it declares no lock",
                        "Write at least one @DistributedLock in it, or remove it."),
                arguments(
                        NoneAndTwo.class,
                        null,
                        "the method has both @DistributedLock and @NoDistributedLock",
                        "Keep one of them."));
    }

    static class Expires {
        @DistributedLock(scope = "order", expire = 10)
        @DistributedLock(scope = "customer", expireString = "20s")
        void close(String id) {}
    }

    static class Waits {
        @DistributedLock(scope = "order", waitTimeString = "${wait}")
        @DistributedLock(scope = "customer", waitTime = 2)
        void close(String id) {}
    }

    static class Stalls {
        @DistributedLock(scope = "order", stallTimeString = "1s")
        @DistributedLock(scope = "customer", stallTimeString = "2s")
        void close(String id) {}
    }

    static class Rechecks {
        @DistributedLock(scope = "order", recheckString = "1s")
        @DistributedLock(scope = "customer", recheckString = "2s")
        void close(String id) {}
    }

    static class Holds {
        @DistributedLock(scope = "order", holdAtLeastString = "1s")
        @DistributedLock(scope = "customer", holdAtLeastString = "2s")
        void close(String id) {}
    }

    static class Renewals {
        @DistributedLock(scope = "order", renew = Renewal.ALWAYS)
        @DistributedLock(scope = "customer", renew = Renewal.NEVER)
        void close(String id) {}
    }

    static class Reentries {
        @DistributedLock(scope = "order", reentrant = false)
        @DistributedLock(scope = "customer", reentrant = true)
        void close(String id) {}
    }

    static class Conditions {
        @DistributedLock(scope = "order", condition = "#id == null")
        @DistributedLock(scope = "customer", condition = "true")
        void close(String id) {}
    }

    static class Answers {
        @DistributedLock(scope = "order", whenBusy = WhenBusy.SKIP)
        @DistributedLock(scope = "customer", onTimeout = "busy")
        void close(String id) {}
    }

    static class Handlers {
        @DistributedLock(scope = "order", onTimeout = "busy")
        @DistributedLock(scope = "customer", onTimeout = "other")
        void close(String id) {}
    }

    static class Losses {
        @DistributedLock(scope = "order", onLost = OnLost.LOG)
        @DistributedLock(scope = "customer", onLost = OnLost.THROW)
        void close(String id) {}
    }

    static class Namespaces {
        @DistributedLock(scope = "order", namespace = "shop")
        @DistributedLock(scope = "customer", namespace = "stock")
        void close(String id) {}
    }

    static class Owners {
        @DistributedLock(scope = "order", owner = "#id")
        @DistributedLock(scope = "customer", owner = "#p0")
        void close(String id) {}
    }

    static class Unnamed {
        @DistributedLock(key = "#id")
        @DistributedLock(key = "#p0")
        void close(String id) {}
    }

    static class SameLock {
        @DistributedLock(scope = "order")
        @DistributedLock(value = "order", waitTime = 2)
        void close(String id) {}
    }

    static class SameLiteral {
        @DistributedLock(scope = "order")
        @DistributedLock(scope = "order", key = "'global'")
        void close(String id) {}
    }

    static class SameKey {
        @DistributedLock(
                scope = "order",
                key = {"#id", "7"})
        @DistributedLock(
                scope = "order",
                key = {" #id", "'7'"})
        void close(String id) {}
    }

    static class Empty {
        @DistributedLocks({})
        void close(String id) {}
    }

    static class NoneAndTwo {
        @DistributedLock(scope = "order")
        @DistributedLock(scope = "customer")
        @NoDistributedLock
        void close(String id) {}
    }

    @DistributedLock(scope = "order", expire = 10)
    @DistributedLock(scope = "customer", expire = 20)
    static class OfTheClass {
        public void close(String id) {}
    }

    @DistributedLock(scope = "order")
    @DistributedLock(scope = "customer")
    static class ScopeOfTheClass {
        @DistributedLock(key = "#id")
        void close(String id) {}
    }

    @DistributedLock(scope = "order", key = "#p0")
    @DistributedLock(scope = "customer")
    static class KeyOfTheClass {
        @DistributedLock(scope = "other")
        void close(String id) {}
    }

    @DistributedLocks({})
    static class EmptyOnTheClass {
        public void close(String id) {}
    }
}
