package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a writer that becomes a reader while the store does not answer, or answers late. */
class UnansweredDowngradeTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final LockRequest WRITE = LockRequest.of("x").expire(LEASE);
    private static final LockRequest READ = LockRequest.of("x").mode(LockMode.SHARED);
    private static final DowngradeReply REFUSED = new DowngradeReply(OptionalLong.empty(), false, List.of());
    private static final long WRITERS = 7;
    private static final long READERS = 9;

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final ExecutorService owner = Executors.newSingleThreadExecutor();
    private final LockTemplate template;
    private Lease writer;
    private Lease reader;

    UnansweredDowngradeTests() {
        store.sharing = true;
        template = LockTemplate.builder(store)
                .time(time)
                .recheck(Duration.ofHours(1))
                .commandTimeout(Duration.ofMillis(100))
                .build();
    }

    @BeforeEach
    void writeAndRead() {
        CompletableFuture<Lease> granted = CompletableFuture.supplyAsync(() -> template.acquire(WRITE), owner);
        store.nextAcquire().answer(TestEngine.granted(WRITERS));
        writer = TestEngine.get(granted);
        reader = TestEngine.get(CompletableFuture.supplyAsync(() -> template.acquire(READ), owner));
        assertThat(store.acquires).as("a re-entry").isEmpty();
    }

    @AfterEach
    void stop() {
        owner.shutdownNow();
        template.engine().executors().stop();
    }

    private CompletableFuture<Boolean> release(Lease lease) {
        return CompletableFuture.supplyAsync(lease::release);
    }

    @Test
    void releaseReturnsAfterTheTimeOutAndTheCommandIsRepeatedUntilItIsAnswered() {
        CompletableFuture<Boolean> released = release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        assertThat(TestEngine.get(released)).as("without an answer").isTrue();
        first.fail(TestEngine.passing());
        for (int i = 0; i < 3; i++) {
            Sent<DowngradeCommand, DowngradeReply> again = store.nextDowngrade();
            assertThat(again.command().id()).isEqualTo(first.command().id());
            assertThat(again.command().reader()).isEqualTo(first.command().reader());
            assertThat(reader.isHeld()).isTrue();
            assertThat(reader.fencingToken()).as("not known yet").isEqualTo(WRITERS);
            again.fail(TestEngine.passing());
        }
        // Redis is back
        store.nextDowngrade().answer(new DowngradeReply(OptionalLong.of(READERS), false, List.of()));
        await().until(() -> reader.fencingToken() == READERS);
        assertThat(reader.isHeld()).isTrue();
        assertThat(writer.isHeld()).isFalse();
        assertThat(store.ends).as("neither request is over").isEmpty();

        released = release(reader);
        Sent<EndCommand, EndReply> end = store.nextEnd();
        assertThat(end.command().id()).isEqualTo(first.command().reader().id());
        end.answer(TestEngine.ended(Role.HOLDER));
        assertThat(TestEngine.get(released)).isTrue();
        assertThat(store.ends).as("the writer was ended by its downgrade").isEmpty();
        assertThat(template.engine().openRequests()).isZero();
    }

    @Test
    void lateAnswerCounts() {
        CompletableFuture<Boolean> released = release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        assertThat(TestEngine.get(released)).isTrue();
        first.answer(new DowngradeReply(OptionalLong.of(READERS), false, List.of()));
        await().until(() -> reader.fencingToken() == READERS);
        assertThat(store.downgrades).isEmpty();
        assertThat(reader.isHeld()).isTrue();
    }

    @Test
    void leaseCountsFromTheCommandThatWasAnswered() {
        release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        time.advance(LEASE.dividedBy(2));
        first.fail(TestEngine.passing());
        store.nextDowngrade().answer(new DowngradeReply(OptionalLong.of(READERS), false, List.of()));
        await().until(() -> reader.fencingToken() == READERS);
        assertThat(reader.remaining()).isEqualTo(TestEngine.usable(LEASE));
    }

    @Test
    void beforeTheAnswerTheLeaseEndsWithThatOfTheWriter() {
        release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        first.fail(TestEngine.passing());
        Sent<DowngradeCommand, DowngradeReply> again = store.nextDowngrade();
        time.advance(LEASE);
        await().until(reader::isExpired);
        assertBothEnd(first.command());
        // too late: the store refuses it, because the end of the reader has left a mark
        again.answer(REFUSED);
        assertThat(reader.isHeld()).isFalse();
        assertThatThrownBy(reader::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void readerThatLeavesBeforeTheAnswerEndsBothRequests() throws Exception {
        release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        CompletableFuture<Boolean> released = release(reader);
        assertBothEnd(first.command());
        assertThat(TestEngine.get(released)).isTrue();
        first.fail(TestEngine.passing());
        assertThat(store.downgrades.poll(300, TimeUnit.MILLISECONDS))
                .as("a reader that is over asks for nothing")
                .isNull();
        await().untilAsserted(() -> assertThat(template.engine().openRequests()).isZero());
    }

    @Test
    void refusedDowngradeIsALoss() {
        CompletableFuture<Boolean> released = release(writer);
        Sent<DowngradeCommand, DowngradeReply> first = store.nextDowngrade();
        first.answer(REFUSED);
        assertThat(TestEngine.get(released)).isFalse();
        assertThat(reader.isHeld()).isFalse();
        time.advance(LEASE);
        assertBothEnd(first.command());
    }

    /** Either request may be the holder. The end of the reader refuses a downgrade that comes later. */
    private void assertBothEnd(DowngradeCommand command) {
        Map<String, EndCommand> ends = new HashMap<>();
        for (int i = 0; i < 2; i++) {
            Sent<EndCommand, EndReply> end = store.nextEnd();
            ends.put(end.command().id(), end.command());
            end.answer(TestEngine.ended(end.command().id().equals(command.id()) ? Role.HOLDER : Role.NOTHING));
        }
        assertThat(ends).containsOnlyKeys(command.id(), command.reader().id());
    }
}
