package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.stereotype.Component;

/** Tests the result of a call whose lock is not granted in time. */
class WhenBusyTests {

    private AnnotationConfigApplicationContext context;

    private Reports reports;

    private FakeLockOperations locks;

    @BeforeEach
    void start() {
        context = LockedContext.start(Reports.class, Archive.class);
        reports = context.getBean(Reports.class);
        locks = context.getBean(FakeLockOperations.class);
        locks.setBusy(true);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void callFailsByDefault() {
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> reports.fail());
        assertThat(reports.hasRun()).isFalse();
    }

    @Test
    void skipReturnsTheEmptyValueOfTheReturnType() {
        assertThat(reports.skipObject()).isNull();
        reports.skipVoid();
        assertThat(reports.skipOptional()).isEmpty();
        assertThat(reports.skipInt()).isEmpty();
        assertThat(reports.skipLong()).isEmpty();
        assertThat(reports.skipList()).isNull();
        assertThat(reports.skipBoxed()).isNull();
        assertThat(reports.hasRun()).isFalse();
    }

    @Test
    void skipDoesNothingIfTheLockIsFree() {
        locks.setBusy(false);
        assertThat(reports.skipOptional()).hasValue("ran");
        assertThat(reports.hasRun()).isTrue();
    }

    @Test
    void onTimeoutCallsTheMethodWithTheArgumentsOfTheCall() {
        assertThat(reports.build("a", 7)).isEqualTo("last a 7");
        assertThat(reports.hasRun()).isFalse();
    }

    @Test
    void onTimeoutMethodMayHaveTheExceptionAsAParameter() {
        assertThat(reports.explain("a")).isEqualTo("a: report.global");
    }

    @Test
    void onTimeoutMayBePrivateStaticOrInherited() {
        assertThat(reports.viaPrivate()).isEqualTo("private");
        assertThat(reports.viaStatic()).isEqualTo("static");
        assertThat(reports.viaInherited()).isEqualTo("inherited");
    }

    @Test
    void onTimeoutOfAVoidMethodMayReturnAnything() {
        reports.viaVoid();
        assertThat(reports.hasHandled()).isTrue();
    }

    @Test
    void onTimeoutMayCallABean() {
        assertThat(reports.viaBean(7)).isEqualTo("archived 7");
    }

    @Test
    void exceptionOfTheHandlerHasTheTimeoutAsSuppressed() {
        for (Exception thrown : List.of(new IOException("io"), new IllegalStateException("state"))) {
            assertThat(catchThrowable(() -> reports.viaThrowing(thrown))).isSameAs(thrown);
            assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockTimeoutException.class);
            assertThat(catchThrowable(() -> reports.viaThrowingBean(thrown))).isSameAs(thrown);
        }
    }

    @Test
    void handlerMayRethrowTheTimeout() {
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> reports.rethrow())
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).isEmpty());
    }

    @Test
    void handlerBeanWithAnotherReturnTypeIsRefusedWithBothTypes() {
        assertThatIllegalStateException()
                .isThrownBy(() -> reports.viaOtherType())
                .withMessage(
                        "onTimeout '@archive.number()' of Reports.viaOtherType(..) is a java.lang.Integer, and the method"
                                + " returns java.lang.String; have it return that")
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> reports.viaNull())
                .withMessageContaining("is null, and the method returns int");
    }

    @Test
    void invalidExpressionIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> reports.viaUnknown())
                .withMessageStartingWith(
                        "onTimeout '@archive.unknown()' of Reports.viaUnknown(..) cannot be evaluated: ")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockTimeoutException.class));
    }

    @Test
    void timeoutOfAnotherLockInTheMethodIsThrownUnchanged() {
        locks.setBusy(false);
        LockTimeoutException inner = new LockTimeoutException("inner.global", Duration.ZERO, null);
        assertThat(catchThrowable(() -> reports.nested(inner))).isSameAs(inner);
        assertThat(catchThrowable(() -> reports.nestedSkip(inner))).isSameAs(inner);
    }

    @Test
    void unreachableStoreIsNoTimeout() {
        locks.failWith(new LockStoreException("report.global", "Redis is down", null));
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> reports.build("a", 7));
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> reports.skipOptional());
    }

    static class BaseReports {

        String inherited() {
            return "inherited";
        }
    }

    static class Reports extends BaseReports {

        private boolean ran;
        private boolean handled;

        public boolean hasRun() {
            return ran;
        }

        public boolean hasHandled() {
            return handled;
        }

        @DistributedLock("report")
        String fail() {
            return run();
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public @Nullable Object skipObject() {
            return run();
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public void skipVoid() {
            run();
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public Optional<String> skipOptional() {
            return Optional.of(run());
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public OptionalInt skipInt() {
            return OptionalInt.of(run().length());
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public OptionalLong skipLong() {
            return OptionalLong.of(run().length());
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public @Nullable List<String> skipList() {
            return List.of(run());
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public @Nullable Integer skipBoxed() {
            return run().length();
        }

        @DistributedLock(scope = "report", onTimeout = "last")
        public String build(String name, int number) {
            return run();
        }

        public String last(String name, int number) {
            return "last " + name + " " + number;
        }

        @DistributedLock(scope = "report", onTimeout = "why")
        public String explain(String name) {
            return run();
        }

        public String why(String name, LockTimeoutException timeout) {
            return name + ": " + timeout.name();
        }

        @DistributedLock(scope = "report", onTimeout = "hidden")
        public String viaPrivate() {
            return run();
        }

        @SuppressWarnings("unused")
        private String hidden() {
            return "private";
        }

        @DistributedLock(scope = "report", onTimeout = "shared")
        public String viaStatic() {
            return run();
        }

        @SuppressWarnings("unused")
        static String shared() {
            return "static";
        }

        @DistributedLock(scope = "report", onTimeout = "inherited")
        public String viaInherited() {
            return run();
        }

        @DistributedLock(scope = "report", onTimeout = "handle")
        public void viaVoid() {
            run();
        }

        public boolean handle() {
            handled = true;
            return true;
        }

        @DistributedLock(scope = "report", onTimeout = "@archive.of(#number)")
        public String viaBean(int number) {
            return run();
        }

        @DistributedLock(scope = "report", onTimeout = "throwOn")
        public String viaThrowing(Exception thrown) throws Exception {
            return run();
        }

        public String throwOn(Exception thrown) throws Exception {
            throw thrown;
        }

        @DistributedLock(scope = "report", onTimeout = "@archive.fail(#thrown)")
        public String viaThrowingBean(Exception thrown) throws Exception {
            return run();
        }

        @DistributedLock(scope = "report", onTimeout = "throwTimeout")
        public String rethrow() {
            return run();
        }

        public String throwTimeout(LockTimeoutException timeout) {
            throw timeout;
        }

        @DistributedLock(scope = "report", onTimeout = "@archive.number()")
        public String viaOtherType() {
            return run();
        }

        @DistributedLock(scope = "report", onTimeout = "@archive.nothing()")
        public int viaNull() {
            return run().length();
        }

        @DistributedLock(scope = "report", onTimeout = "@archive.unknown()")
        public String viaUnknown() {
            return run();
        }

        @DistributedLock(scope = "report", onTimeout = "answer")
        public String nested(LockTimeoutException inner) {
            throw inner;
        }

        @DistributedLock(scope = "report", whenBusy = WhenBusy.SKIP)
        public @Nullable String nestedSkip(LockTimeoutException inner) {
            throw inner;
        }

        public String answer(LockTimeoutException inner) {
            return "answered";
        }

        private String run() {
            ran = true;
            return "ran";
        }
    }

    @Component("archive")
    public static class Archive {

        public String of(int number) {
            return "archived " + number;
        }

        public int number() {
            return 7;
        }

        public @Nullable Object nothing() {
            return null;
        }

        public String fail(Exception thrown) throws Exception {
            throw thrown;
        }
    }
}
