package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@code waitTime} and {@code waitTimeString}: how long a call waits for a busy lock. */
class WaitTimeAttributeTests extends AttributeFixture {

    WaitTimeAttributeTests() {
        super(
                List.of("patience=20s", "baton.wait-time=0", "baton.scopes.scoped.wait-time=20s"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @ParameterizedTest
    @MethodSource
    void callWaitsUntilTheLockIsFree(String scope, Call call) throws Exception {
        Future<Boolean> waiting;
        try (Lease held = hold(scope)) {
            assertThat(held.isHeld()).isTrue();
            waiting = inBackground(() -> call.on(this));
            awaitWaiter(scope + ".global");
            assertThat(waiting).isNotDone();
        }
        assertThat(get(waiting)).isTrue();
    }

    static Stream<Arguments> callWaitsUntilTheLockIsFree() {
        return Stream.of(
                waits("seconds", "a", test -> test.bean(OnMethods.class).seconds()),
                waits("text", "a", test -> test.bean(OnMethods.class).text()),
                waits("placeholder", "a", test -> test.bean(OnMethods.class).placeholder()),
                waits("unbounded", "a", test -> test.bean(OnMethods.class).unbounded()),
                waits("scope", "scoped", test -> test.bean(OnMethods.class).scoped()),
                waits("class", "b", test -> test.bean(OnClass.class).inherited()),
                waits("defaults", "c", test -> test.bean(InDefaults.class).inherited()));
    }

    private static Arguments waits(String name, String scope, Call call) {
        return argumentSet(name, scope, call);
    }

    @Test
    void zeroMeansNoWait() {
        assertNoWait("a", bean(OnMethods.class)::configured);
        assertNoWait("scoped", bean(OnMethods.class)::scopedWithItsOwn);
        assertNoWait("b", bean(OnClass.class)::own);
        assertNoWait("c", bean(InDefaults.class)::own);
    }

    private void assertNoWait(String scope, Callable<?> call) {
        try (Lease held = hold(scope)) {
            assertThat(held.isHeld()).isTrue();
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(call::call)
                    .satisfies(busy -> assertThat(busy.waited()).isZero());
        }
    }

    @Test
    void timeoutNamesTheWaitAndTheHolder() {
        try (Lease held = hold("a")) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(bean(OnMethods.class)::aWhile)
                    .satisfies(busy -> {
                        assertThat(busy.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(1250));
                        assertThat(busy.holder().orElseThrow().owner()).isEqualTo(held.owner());
                    })
                    .withMessageContaining("a.global");
        }
    }

    interface Call {
        boolean on(AttributeFixture test);
    }

    static class OnMethods {
        @DistributedLock(scope = "a", waitTime = 20)
        boolean seconds() {
            return lease().contended();
        }

        @DistributedLock(scope = "a", waitTimeString = "PT20S")
        boolean text() {
            return lease().contended();
        }

        @DistributedLock(scope = "a", waitTimeString = "${patience}")
        boolean placeholder() {
            return lease().contended();
        }

        @DistributedLock(scope = "a", waitTimeString = "unbounded")
        boolean unbounded() {
            return lease().contended();
        }

        @DistributedLock(scope = "a", waitTimeString = "1250ms")
        boolean aWhile() {
            return lease().contended();
        }

        @DistributedLock("a")
        boolean configured() {
            return lease().contended();
        }

        @DistributedLock("scoped")
        boolean scoped() {
            return lease().contended();
        }

        @DistributedLock(scope = "scoped", waitTime = 0)
        boolean scopedWithItsOwn() {
            return lease().contended();
        }
    }

    @DistributedLock(scope = "b", waitTime = 20)
    static class OnClass {
        public boolean inherited() {
            return lease().contended();
        }

        @DistributedLock(waitTimeString = "0")
        public boolean own() {
            return lease().contended();
        }
    }

    @LockDefaults(scope = "c", waitTime = 20)
    static class InDefaults {
        @DistributedLock
        boolean inherited() {
            return lease().contended();
        }

        @DistributedLock(waitTime = 0)
        boolean own() {
            return lease().contended();
        }
    }
}
