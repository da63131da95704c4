package dev.baton.lock.interceptor;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.annotation.NoDistributedLock;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AliasFor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;

/** The contradictory declarations of {@link ContradictionTests}. */
@SuppressWarnings("unused")
final class Contradictions {

    private Contradictions() {}

    static class FinalMethod {
        @DistributedLock("orders")
        final void close(String id) {}
    }

    static class PrivateMethod {
        @DistributedLock("orders")
        private void close(String id) {}
    }

    static class StaticMethod {
        @DistributedLock("orders")
        static void close(String id) {}
    }

    static class NotProxied implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }

        @DistributedLock("orders")
        public void close(String id) {}
    }

    static class ReturnsStream {
        @DistributedLock("orders")
        public Stream<String> close(String id) {
            return Stream.of(id);
        }
    }

    static class ReturnsCallable {
        @DistributedLock("orders")
        public Callable<String> close(String id) {
            return () -> id;
        }
    }

    static class ReturnsDeferredResult {
        @DistributedLock("orders")
        public DeferredResult<String> close(String id) {
            return new DeferredResult<>();
        }
    }

    static class ReturnsStreamingBody {
        @DistributedLock("orders")
        public Optional<StreamingResponseBody> close(String id) {
            return Optional.empty();
        }
    }

    static class ReturnsFutureOfOneWithAFlux {
        @DistributedLock("orders")
        public CompletableFuture<Optional<Flux<String>>> close(String id) {
            return CompletableFuture.completedFuture(Optional.of(Flux.just(id)));
        }
    }

    interface Closer {
        @DistributedLock("orders")
        void close(String id);
    }

    interface Finisher {
        @DistributedLock("endings")
        void close(String id);
    }

    static class TwoInterfaces implements Closer, Finisher {
        @Override
        public void close(String id) {}
    }

    static class Unparsable {
        @DistributedLock(scope = "orders", key = "#id +")
        public void close(String id) {}
    }

    static class UnknownVariable {
        @DistributedLock(scope = "orders", key = "#other")
        public void close(String id) {}
    }

    static class BareWord {
        @DistributedLock(scope = "orders", key = "daily")
        public void close(String id) {}
    }

    static class UnparsableCondition {
        @DistributedLock(scope = "orders", condition = "#id ==")
        public void close(String id) {}
    }

    static class ConditionOfUnknown {
        @DistributedLock(scope = "orders", condition = "#other != null")
        public void close(String id) {}
    }

    static class PlaceholderInCondition {
        @DistributedLock(scope = "orders", condition = "${name}")
        public void close(String id) {}
    }

    static class OwnerOfUnknown {
        @DistributedLock(scope = "orders", owner = "#session")
        public void close(String id) {}
    }

    static class OwnerAsWord {
        @DistributedLock(scope = "orders", owner = "nightly")
        public void close(String id) {}
    }

    static class ExpireZero {
        @DistributedLock(scope = "orders", expire = 0)
        public void close(String id) {}
    }

    static class WaitNegative {
        @DistributedLock(scope = "orders", waitTime = -5)
        public void close(String id) {}
    }

    static class ExpireTwice {
        @DistributedLock(scope = "orders", expire = 10, expireString = "10s")
        public void close(String id) {}
    }

    static class WaitTwice {
        @DistributedLock(scope = "orders", waitTime = 1, waitTimeString = "1s")
        public void close(String id) {}
    }

    static class StallWithoutUnit {
        @DistributedLock(scope = "orders", stallTimeString = "3")
        public void close(String id) {}
    }

    static class StallTooShort {
        @DistributedLock(scope = "orders", stallTimeString = "5ms")
        public void close(String id) {}
    }

    static class RecheckTooShort {
        @DistributedLock(scope = "orders", recheckString = "5ms")
        public void close(String id) {}
    }

    static class PollingTooShort {
        @DistributedLock(scope = "orders", pollingIntervalString = "0s")
        public void close(String id) {}
    }

    static class PollingInAQueue {
        @DistributedLock(scope = "orders", waitStrategy = WaitStrategy.GRANT, pollingIntervalString = "20ms")
        public void close(String id) {}
    }

    static class TwoStrategies {
        @DistributedLock(
                scope = "orders",
                waitStrategy = {WaitStrategy.GRANT, WaitStrategy.POLLING})
        public void close(String id) {}
    }

    static class HoldNothing {
        @DistributedLock(scope = "orders", holdAtLeastString = "0s")
        public void close(String id) {}
    }

    static class HoldBeyondExpire {
        @DistributedLock(scope = "orders", expire = 10, holdAtLeastString = "20s")
        public void close(String id) {}
    }

    static class TwoModes {
        @DistributedLock(
                scope = "orders",
                mode = {LockMode.SHARED, LockMode.EXCLUSIVE})
        public void close(String id) {}
    }

    static class TwoOnStuck {
        @DistributedLock(
                scope = "orders",
                stallTimeString = "3s",
                onStuck = {OnStuck.FAIL, OnStuck.STEAL})
        public void close(String id) {}
    }

    static class NegativePermits {
        @DistributedLock(scope = "orders", permits = -1)
        public void close(String id) {}
    }

    static class SharedPermits {
        @DistributedLock(scope = "orders", permits = 3, mode = LockMode.SHARED)
        public void close(String id) {}
    }

    static class StallingPermits {
        @DistributedLock(scope = "orders", permits = 3, stallTimeString = "3s")
        public void close(String id) {}
    }

    static class OwnedPermits {
        @DistributedLock(scope = "orders", permits = 3, owner = "#id")
        public void close(String id) {}
    }

    static class ReentrantPermits {
        @DistributedLock(scope = "orders", permits = 3, reentrant = true)
        public void close(String id) {}
    }

    static class PermitsOfSeveral {
        @DistributedLock(scope = "orders", permits = 3)
        @DistributedLock(scope = "customers")
        public void close(String id) {}
    }

    static class TwoValues {
        @DistributedLock(
                scope = "orders",
                onLost = {OnLost.LOG, OnLost.THROW})
        public void close(String id) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("orders")
    @interface StrictLock {
        @AliasFor(annotation = DistributedLock.class, attribute = "reentrant")
        boolean again() default false;
    }

    static class SingleForArray {
        @StrictLock
        public void close(String id) {}
    }

    static class NamespaceWithBrace {
        @DistributedLock(scope = "orders", namespace = "a{b}")
        public void close(String id) {}
    }

    static class SkipsPrimitive {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        public int close(String id) {
            return 0;
        }
    }

    static class SkipsAndCalls {
        public void busy(String id) {}

        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP, onTimeout = "busy")
        public void close(String id) {}
    }

    static class UnknownHandler {
        @DistributedLock(scope = "orders", onTimeout = "busy")
        public void close(String id) {}
    }

    static class HandlerOfOtherParameters {
        public void busy(int id) {}

        public void busy(String id, String more) {}

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public void close(String id) {}
    }

    static class HandlerOfOtherResult {
        public List<Integer> busy(String id) {
            return List.of();
        }

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public List<String> close(String id) {
            return List.of();
        }
    }

    static class HandlerOfBoxedResult {
        public Integer busy(String id) {
            return 0;
        }

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public int close(String id) {
            return 0;
        }
    }

    static class HandlerThrows {
        public void busy(String id) throws IOException {}

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public void close(String id) {}
    }

    static class TwoHandlers {
        public void busy(String id) {}

        public void busy(String id, LockTimeoutException timeout) {}

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public void close(String id) {}
    }

    static class HandlerIsItself {
        @DistributedLock(scope = "orders", onTimeout = "close")
        public void close(String id) {}
    }

    static class HandlerIsLocked {
        @DistributedLock("others")
        public void busy(String id) {}

        @DistributedLock(scope = "orders", onTimeout = "busy")
        public void close(String id) {}
    }

    static class HandlerIsNoName {
        @DistributedLock(scope = "orders", onTimeout = "${name}")
        public void close(String id) {}
    }

    static class HandlerIsNoCall {
        @DistributedLock(scope = "orders", onTimeout = "@archive")
        public void close(String id) {}
    }

    static class HandlerOfUnknown {
        @DistributedLock(scope = "orders", onTimeout = "@archive.of(#number)")
        public void close(String id) {}
    }

    @DistributedLock(scope = "orders", expire = 0)
    static class WrongClass {
        public void close(String id) {}
    }

    @LockDefaults(scope = "a{b}")
    static class WrongDefaults {
        @DistributedLock
        public void close(String id) {}
    }

    static class LockedAndNot {
        @DistributedLock("orders")
        @NoDistributedLock
        public void close(String id) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @LockDefaults(expire = 5)
    @interface ShortLocks {}

    @LockDefaults(expire = 60)
    @ShortLocks
    static class TwoDefaults {
        @DistributedLock("orders")
        public void close(String id) {}
    }

    @DistributedLock(scope = "orders", key = "#number")
    static class KeyOfClassForAll {
        public void close(String id) {}
    }

    @DistributedLock("orders")
    static class FinalInLockedClass {
        public final void close(String id) {}
    }

    static final class FinalClass {
        @DistributedLock("orders")
        public void close(String id) {}
    }

    static class BlankPart {
        @DistributedLock(scope = "orders", key = " ")
        public void close(String id) {}
    }

    static class ExpireTextZero {
        @DistributedLock(scope = "orders", expireString = "0s")
        public void close(String id) {}
    }

    static class WaitTextNegative {
        @DistributedLock(scope = "orders", waitTimeString = "-2s")
        public void close(String id) {}
    }

    static class TwoRenewals {
        @DistributedLock(
                scope = "orders",
                renew = {Renewal.ALWAYS, Renewal.NEVER})
        public void close(String id) {}
    }

    @LockDefaults(whenBusy = WhenBusy.SKIP)
    static class SkipOfDefaultsOnPrimitive {
        @DistributedLock("orders")
        public boolean close(String id) {
            return true;
        }
    }

    @LockDefaults(onTimeout = "busy")
    static class HandlerOfDefaultsMissing {
        @DistributedLock("orders")
        public void close(String id) {}
    }
}
