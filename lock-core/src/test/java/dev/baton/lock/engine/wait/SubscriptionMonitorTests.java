package dev.baton.lock.engine.wait;

import static dev.baton.lock.support.TestEngine.busyAnswer;
import static dev.baton.lock.support.TestEngine.reply;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.support.FakeLockStore;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionMonitorTests {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration NANO = Duration.ofNanos(1);
    private static final AcquireReply WAITS = reply(busyAnswer(6, PATIENCE));
    private static final AcquireReply UNHEARD = new AcquireReply(false, List.of(busyAnswer(6, PATIENCE)), false, true);
    private static final AcquireReply GRANTED_AT_ONCE = reply(new Granted(7, false));
    private static final AcquireReply GRANTED_BEFORE = reply(new Granted(7, true));

    private final FakeLockStore store = new FakeLockStore();
    private final ManualTime time = new ManualTime();
    private final SubscriptionMonitor subscription = new SubscriptionMonitor(store, PATIENCE.toNanos(), time);
    private final List<Ticket> asked = List.of(ticket());

    private Ticket ticket() {
        return TestEngine.ticket(TestEngine.waits(Duration.ofSeconds(30)), time.nanoTime());
    }

    @Test
    void deafnessBeyondThePatienceRenewsTheSubscription() {
        subscription.answered(asked, UNHEARD, true);
        assertThat(subscription.isDeaf()).isTrue();
        time.advance(Duration.ofMillis(10));
        subscription.answered(asked, UNHEARD, false);
        time.advance(PATIENCE.minusMillis(10));
        subscription.answered(asked, UNHEARD, false);
        assertThat(store.listenedAnew)
                .as("the client library may still restore the subscription")
                .hasValue(0);

        time.advance(NANO);
        subscription.answered(asked, UNHEARD, false);

        assertThat(store.listenedAnew).hasValue(1);
        assertThat(subscription.isDeaf())
                .as("until the store reports deafness again")
                .isFalse();
    }

    @Test
    void answerWithASubscriptionEndsTheDeafness() {
        subscription.answered(asked, UNHEARD, true);
        subscription.answered(asked, WAITS, false);
        assertThat(subscription.isDeaf()).isFalse();
        time.advance(PATIENCE.plus(NANO));
        subscription.answered(asked, UNHEARD, false);

        assertThat(store.listenedAnew).hasValue(0);
    }

    /** The store looks for a subscriber only on behalf of requests in its queue. */
    @Test
    void answerToAPollDoesNotEndTheDeafness() {
        subscription.answered(asked, UNHEARD, true);
        subscription.answered(polls(), WAITS, false);
        assertThat(subscription.isDeaf()).isTrue();
    }

    @Test
    void grantFoundByAPollIsNoMissedMessage() {
        for (int i = 0; i < 5; i++) {
            subscription.answered(polls(), GRANTED_BEFORE, false);
        }
        assertThat(store.listenedAnew).hasValue(0);
    }

    private List<Ticket> polls() {
        return List.of(TestEngine.ticket(
                TestEngine.polling(TestEngine.waits(Duration.ofSeconds(30)), Duration.ofMillis(20)), time.nanoTime()));
    }

    @Test
    void newSubscriptionEndsTheDeafness() {
        subscription.answered(asked, UNHEARD, true);
        subscription.subscribed();
        assertThat(subscription.isDeaf()).isFalse();
        time.advance(PATIENCE.plus(NANO));
        subscription.answered(asked, UNHEARD, false);

        assertThat(store.listenedAnew).hasValue(0);
    }

    @Test
    void grantOfAFreeLockDoesNotEndTheDeafness() {
        subscription.answered(asked, UNHEARD, true);
        time.advance(PATIENCE);
        // another lock without waiters: for a grant at once the store does not check the subscription
        subscription.answered(List.of(ticket()), GRANTED_AT_ONCE, true);
        assertThat(subscription.isDeaf()).isTrue();
        time.advance(NANO);
        subscription.answered(asked, UNHEARD, false);

        assertThat(store.listenedAnew).hasValue(1);
    }

    @Test
    void secondUnannouncedGrantInARowRenewsTheSubscription() {
        subscription.answered(asked, GRANTED_BEFORE, false);
        assertThat(store.listenedAnew).hasValue(0);
        subscription.answered(asked, GRANTED_BEFORE, false);

        assertThat(store.listenedAnew).hasValue(1);
    }

    /** Answers that were lost before excuse no grant, because none of them may have reported a grant. */
    @Test
    void secondUnannouncedGrantCountsAfterLostAnswers() {
        for (int i = 0; i < 100; i++) {
            subscription.answerLost();
        }
        subscription.answered(asked, GRANTED_BEFORE, false);
        assertThat(store.listenedAnew).hasValue(0);
        subscription.answered(asked, GRANTED_BEFORE, false);

        assertThat(store.listenedAnew).hasValue(1);
    }

    @Test
    void lostAnswerExcusesTheGrantBeforeIt() {
        subscription.answered(asked, GRANTED_BEFORE, false);
        subscription.answerLost();
        subscription.answered(asked, GRANTED_BEFORE, false);

        assertThat(store.listenedAnew).hasValue(0);
    }

    @Test
    void announcedGrantIsNotMissed() {
        Ticket told = ticket();
        told.told();
        subscription.answered(asked, GRANTED_BEFORE, false);
        subscription.answered(List.of(told), GRANTED_BEFORE, false);
        subscription.told();
        subscription.answered(asked, GRANTED_BEFORE, false);

        assertThat(store.listenedAnew).hasValue(0);
    }

    @Test
    void grantByTheFirstAcquireOrOfAFreeLockIsNotMissed() {
        subscription.answered(asked, GRANTED_BEFORE, true);
        subscription.answered(asked, GRANTED_AT_ONCE, false);
        subscription.answered(asked, GRANTED_BEFORE, true);
        subscription.answered(asked, GRANTED_BEFORE, false);

        assertThat(store.listenedAnew).hasValue(0);
    }
}
