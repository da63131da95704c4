package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.ExchangeResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the replies and writes of exchange.lua, and the tokens that grants reserve. */
@Tag("scripts")
class ExchangeScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    /** Empties Redis, except for an old token. */
    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        redis.command("SET", FENCE, "1");
    }

    @Test
    void lockWithoutWaitersIsGrantedAtOnceWithoutAMessage() {
        String first = row.acquire(waits("a:1")).token();
        redis.resetStats();
        ExchangeResult reply = row.exchange("a:1", waits("a:2").lease(7_000).reserve(5));
        String token = row.lock().get("token");
        assertThat(reply)
                .isEqualTo(new ExchangeResult(
                        "holder", 0, plus(token, 5), List.of(), "granted " + token + " 0", 0, List.of("a:2")));
        assertThat(Long.parseLong(token)).isGreaterThan(Long.parseLong(first));
        assertThat(row.fence()).isEqualTo(plus(token, 5));
        assertThat(row.lock())
                .containsEntry("mode", "x")
                .containsEntry("id", "a:2")
                .containsEntry("owner", waits("a:2").owner())
                .containsEntry("label", waits("a:2").label());
        assertThat(redis.ttl(LOCK)).isBetween(6_000L, 7_000L);
        assertThat(redis.commandStats()).containsEntry("evalsha", 1L).doesNotContainKeys("publish");
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void lockGoesToTheWaiterAndTheNewRequestIsQueuedBehindTheWaiter() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1").reserve(3));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            ExchangeResult reply = row.exchange("a:1", waits("a:2").reserve(32));
            String token = row.lock().get("token");
            assertThat(reply.what()).isEqualTo("holder");
            assertThat(reply.more()).isZero();
            assertThat(reply.answer()).isEqualTo("busy");
            assertThat(reply.holder().subList(0, 4))
                    .isEqualTo(List.of(
                            "b:1", token, waits("b:1").owner(), waits("b:1").label()));
            assertThat(reply.mark())
                    .as("with the tokens that the grant reserved")
                    .isEqualTo(plus(token, 3));
            assertThat(reply.deaf()).isZero();
            assertThat(reply.next()).isEqualTo(List.of("b:1"));
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + token + " " + LOCK);
            assertThat(row.queue()).containsExactly("a:2");
            assertThat(row.waiting()).containsOnlyKeys("a:", "b:", "run");
            assertThat(redis.ttl(QUEUE)).isBetween(13 * LockRow.RECHECK, 14 * LockRow.RECHECK);
            assertThat(redis.ttl(WAIT)).isBetween(13 * LockRow.RECHECK, 14 * LockRow.RECHECK);
            row.end("b:1");
            String next = row.lock().get("token");
            assertThat(Long.parseLong(next)).isGreaterThan(Long.parseLong(reply.mark()));
            assertThat(a.messages()).containsExactly("grant 1 a:2 " + next + " " + LOCK);
            assertThat(row.fence()).isEqualTo(plus(next, 32));
        }
    }

    @Test
    void newRequestAtTheHeadOfTheQueueIsGrantedByTheAnswer() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        try (Inbox inbox = row.subscribe("a:2")) {
            ExchangeResult reply = row.exchange("a:1", waits("a:2"));
            assertThat(reply.answer()).startsWith("granted " + row.lock().get("token"));
            assertThat(inbox.messages()).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(row.holder()).isEqualTo("a:2");
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void newRequestAtTheHeadOfALongerQueueKeepsItsPlace() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.exchange("a:1", waits("a:2")).answer()).startsWith("granted ");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void markIsZeroWithoutAFence() {
        row.acquire(waits("b:1"));
        redis.command("DEL", FENCE);
        assertThat(row.exchange("a:1", waits("a:2")).mark()).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"a:3, 0", "a:3, 30000", "plain, 0", "plain, 30000"})
    void waiterOfTheSameProcessIsNotifiedByAMessageLikeAnyOther(String waiter, long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits(waiter));
        try (Inbox inbox = row.subscribe(waiter)) {
            assertThat(row.exchange("a:1", mark, waits("a:2")).next()).isEqualTo(List.of(waiter));
            assertThat(inbox.messages())
                    .containsExactly("grant 1 " + waiter + " " + row.lock().get("token") + " " + LOCK);
        }
        assertThat(row.queue()).containsExactly("a:2");
    }

    @ParameterizedTest
    @CsvSource({"a:3, 0", "a:3, 30000", "plain, 0", "plain, 30000"})
    void deafWaiterOfTheSameProcessIsPassed(String waiter, long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits(waiter));
        assertThat(row.exchange("a:1", mark, waits("a:2")).answer()).startsWith("granted ");
        assertThat(row.queue()).containsExactly(waiter);
    }

    @Test
    void waitingRequestLeavesTheQueueAndTheNewRequestJoins() {
        row.acquire(waits("b:1"));
        row.acquire(waits("a:1"));
        row.acquire(waits("c:1"));
        assertThat(row.exchange("a:1", polls("a:2")))
                .matches(it -> it.what().equals("waiter") && it.answer().equals("busy"));
        assertThat(row.queue()).containsExactly("c:1", "a:2");
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.processOf("a:2").kind()).isEqualTo("p");
        assertThat(row.exchange("a:9", polls("a:2")))
                .matches(it -> it.what().equals("nothing") && it.next().isEmpty());
        assertThat(row.queue()).containsExactly("c:1", "a:2");
    }

    @Test
    void repeatedExchangeIsTheSameGrantAndEndsNoRequest() {
        row.acquire(waits("a:1"));
        String answer = row.exchange("a:1", waits("a:2").lease(7_000)).answer();
        Map<String, String> before = row.lock();
        ExchangeResult again = row.exchange("a:1", waits("a:2").lease(7_000));
        assertThat(again.what()).isEqualTo("nothing");
        assertThat(again.answer()).isEqualTo(answer.substring(0, answer.length() - 1) + "1");
        assertThat(again.holder()).isEmpty();
        assertThat(again.next()).as("granted by the first exchange").isEmpty();
        assertThat(row.lock()).isEqualTo(before);
        row.exchange("a:1", waits("a:2").lease(90_000));
        assertThat(redis.ttl(LOCK)).as("the lease counts from the repeat").isGreaterThan(80_000);
        row.exchange("a:1", waits("a:2").lease(7_000));
        assertThat(redis.ttl(LOCK)).as("the lease is never shortened").isGreaterThan(80_000);
    }

    @Test
    void lateExchangeDoesNotReviveAnEndedRequest() {
        row.acquire(waits("a:1"));
        row.end("a:1");
        row.end("a:2", 60_000);
        assertThat(row.exchange("a:1", waits("a:2")).answer()).isEqualTo("over");
        assertThat(row.holder()).isEqualTo("none");
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void lockIsHandedOverAlthoughTheNewRequestHasEnded() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.end("a:2", 60_000);
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.exchange("a:1", waits("a:2")))
                    .matches(it -> it.what().equals("holder") && it.answer().equals("over"));
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void lockWithoutWaitersIsDeletedIfTheNewRequestHasEnded() {
        row.acquire(waits("a:1"));
        row.end("a:2", 60_000);
        row.exchange("a:1", waits("a:2"));
        assertThat(redis.keys()).containsExactlyInAnyOrder(FENCE, over("a:2"));
    }

    @Test
    void markIsLeftForTheEndedRequest() {
        row.acquire(waits("a:1"));
        row.exchange("a:1", 50_000, waits("a:2"));
        assertThat(redis.ttl(over("a:1"))).isBetween(40_000L, 50_000L);
        assertThat(redis.keys()).doesNotContain(over("a:2"));
        assertThat(row.acquire(waits("a:1")).answer()).isEqualTo("over");
    }

    @Test
    void deafWaiterIsPassed() {
        row.acquire(waits("a:1"));
        row.acquire(waits("deaf:1"));
        try (Inbox a = row.subscribe("a:1")) {
            ExchangeResult reply = row.exchange("a:1", waits("a:2").reserve(4));
            assertThat(reply.answer()).isEqualTo("granted " + row.lock().get("token") + " 0");
            assertThat(a.messages()).as("the answer has the grant").isEmpty();
            assertThat(reply.next()).isEqualTo(List.of("a:2"));
        }
        assertThat(row.queue()).containsExactly("deaf:1");
        assertThat(row.fence()).isEqualTo(plus(row.lock().get("token"), 4));
    }

    @Test
    void moreIsAnsweredIfOnlyDeadWaitersWereRead() {
        row.acquire(waits("a:1"));
        row.queue(1_500, i -> waits("dead:" + i).patience(1));
        row.awaitTime(row.time() + 2_000);
        ExchangeResult first = row.exchange("a:1", waits("a:2"));
        assertThat(first.more()).isEqualTo(1);
        assertThat(first.answer()).isEqualTo("busy");
        assertThat(first.next()).isEmpty();
        ExchangeResult second = row.exchange("a:1", waits("a:2"));
        assertThat(second.more()).isZero();
        assertThat(second.answer()).startsWith("granted ");
        assertThat(row.holder()).isEqualTo("a:2");
    }

    @Test
    void newWaiterWithoutASubscriberIsDeaf() {
        row.acquire(waits("b:1"));
        assertThat(row.exchange("a:1", waits("a:2")).deaf()).isEqualTo(1);
    }

    @Test
    void expiredHolderIsNotEndedTwice() {
        row.acquire(waits("a:1"));
        row.expire();
        row.acquire(waits("b:1"));
        assertThat(row.exchange("a:1", waits("a:2")))
                .matches(it -> it.what().equals("nothing") && it.answer().equals("busy"));
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void unknownModeIsBusy() {
        redis.command("SET", LOCK, "2 r a:1 3 5 owner label");
        ExchangeResult reply = row.exchange("a:1", waits("a:2"));
        assertThat(reply)
                .matches(it -> it.what().equals("nothing") && it.answer().equals("busy"));
        assertThat(reply.mark()).as("no token was assigned").isEqualTo("1");
        assertThat(row.lock()).containsEntry("mode", "r");
    }

    @Test
    void grantAfterAWaitReservesTheRequestedTokens() {
        String token = row.acquire(waits("a:1").reserve(7)).token();
        assertThat(row.acquire(waits("b:1").reserve(3)).mark()).isEqualTo(token);
        row.end("a:1");
        // only the acquire of the waiter can report the grant
        String next = row.acquire(waits("b:1").reserve(3)).token();
        assertThat(Long.parseLong(next)).isGreaterThan(Long.parseLong(token));
        assertThat(row.fence()).isEqualTo(plus(next, 3));
        row.end("b:1");
        assertThat(row.fence()).as("an end reserves nothing").isEqualTo(plus(next, 3));
    }

    @Test
    void immediateGrantReservesNoTokens() {
        String token = row.acquire(waits("a:1").reserve(7)).token();
        assertThat(row.fence()).isEqualTo(token);
        row.end("a:1");
        // two requests are beyond the usual case
        String next =
                row.acquire(waits("a:2").reserve(7), waits("a:3").reserve(7)).token();
        assertThat(row.fence()).isEqualTo(next);
        assertThat(Waiter.parse(row.waiter("a:3")).text("reserve")).containsExactly("7");
    }

    @Test
    void waiterWithAnUnreadableReserveIsNotGranted() {
        row.acquire(waits("a:1"));
        row.acquire(polls("b:1").reserve(9));
        row.replaceWaiter("b:1", row.waiter("b:1").replace(" 9 ", " many "));
        row.end("a:1");
        assertThat(row.holder()).isEqualTo("none");
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void queueLivesAsLongAsItsProcessesAfterAnExchange() {
        row.acquire(waits("a:1"));
        row.recheck(20_000).acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            row.exchange("a:1", waits("a:2"));
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(redis.ttl(QUEUE)).isBetween(279_000L, 280_000L);
        row.end("b:1");
        assertThat(row.queue()).containsExactly("a:2");
        assertThat(redis.ttl(QUEUE)).as("after the waiter was put back").isBetween(279_000L, 280_000L);
    }

    /** The waiter was heard after the last recheck, but the exchange is a recheck as well. */
    @Test
    void waiterThatIsSilentSinceThisExchangeIsPassed() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            long now = row.time();
            row.replaceProcess("b:1", now - 500_000 + " 5 5 m " + LockRow.inbox("b:1"));
            redis.command("HSET", WAIT, "run", now - 1_000_000 + " 5 10000000");
            assertThat(row.exchange("a:1", waits("a:2")).answer()).startsWith("granted");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void newRequestIsQueuedBehindAnArrivalAheadOfTheClock() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        redis.command("ZADD", QUEUE, "9000000000000001", row.waiter("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            row.exchange("a:1", waits("a:2"));
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.arrival("a:2")).isEqualTo(9000000000000002d);
    }

    @Test
    void deafProcessOfAnExchangeIsReportedOncePerHalfARecheck() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.exchange("a:1", waits("a:2")).deaf()).isEqualTo(1);
            row.end("a:2");
            assertThat(row.exchange("b:1", 0, waits("b:2")).deaf()).isZero();
            assertThat(b.messages()).hasSize(1);
        }
    }

    private static String plus(String token, long reserve) {
        return Long.toString(Long.parseLong(token) + reserve);
    }
}
