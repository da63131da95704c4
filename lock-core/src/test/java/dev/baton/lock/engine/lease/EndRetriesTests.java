package dev.baton.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how many of many pending ends are sent at a time. */
class EndRetriesTests {

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final EndDispatcher ends =
            new EndDispatcher(store, TestEngine.CALM, executors, time, new RequestRegistry("i", Integer.MAX_VALUE));

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void onePendingEndProbesTheStoreAndTheOthersFollowItsAnswer() {
        int many = 300;
        for (int i = 0; i < many; i++) {
            ends.end(TestEngine.NAME, "i:" + (100 + i));
        }
        for (int i = 0; i < many; i++) {
            store.nextEnd().fail(TestEngine.passing());
        }
        assertThat(store.nextEnd().command().id())
                .as("the oldest end probes the store")
                .isEqualTo("i:100");
        assertThat(store.ends).as("the others wait for its answer").isEmpty();
    }

    @Test
    void pendingEndsAreSentInBoundedBatchesOnceTheStoreAnswers() {
        int many = 300;
        for (int i = 0; i < many; i++) {
            ends.end(TestEngine.NAME, "i:" + i);
        }
        for (int i = 0; i < many; i++) {
            store.nextEnd().fail(TestEngine.passing());
        }
        int answered = 0;
        for (int batch = 1; answered < many; batch = Math.min(2 * batch, EndRetries.LARGEST_BATCH)) {
            List<FakeLockStore.Sent<EndCommand, EndReply>> sent = new ArrayList<>();
            for (int i = 0; i < Math.min(batch, many - answered); i++) {
                sent.add(store.nextEnd());
            }
            CompletableFuture<Void> settled = new CompletableFuture<>();
            executors.onAsker(0, () -> settled.complete(null));
            TestEngine.get(settled);
            assertThat(store.ends).as("more than a batch of %d", batch).isEmpty();
            sent.forEach(end -> end.answer(TestEngine.ended(Role.NOTHING)));
            answered += sent.size();
        }
        Awaitility.await().until(ends::isSettled);
    }

    @Test
    void pendingEndsAreDroppedTogetherAfterTheLongestPossibleLease() {
        for (int i = 0; i < 300; i++) {
            ends.end(TestEngine.NAME, "i:" + i);
        }
        for (int i = 0; i < 300; i++) {
            store.nextEnd().fail(TestEngine.passing());
        }
        FakeLockStore.Sent<EndCommand, EndReply> last = store.nextEnd();
        time.advance(Duration.ofMinutes(3));
        last.fail(TestEngine.passing());

        Awaitility.await().until(ends::isSettled);
        assertThat(store.ends).isEmpty();
    }
}
