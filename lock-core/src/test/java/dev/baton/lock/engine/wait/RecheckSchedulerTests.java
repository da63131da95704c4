package dev.baton.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.store.LockName;
import dev.baton.lock.support.ManualTime;
import dev.baton.lock.support.TestEngine;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecheckSchedulerTests {

    private static final List<LockName> OTHER = List.of(new LockName("", "other.1"));
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final ManualTime time = new ManualTime();
    private final BlockingQueue<List<Claim>> asked = new LinkedBlockingQueue<>();
    /** What comes of the next question. */
    private volatile CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);

    private volatile boolean lastInTurn;

    private final RecheckScheduler rechecks = new RecheckScheduler(executors, time, (claims, inTurn) -> {
        CompletableFuture<Boolean> mine = answer;
        lastInTurn = inTurn;
        asked.add(List.copyOf(claims));
        return mine;
    });

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void waitersOfANameAskTogetherByArrival() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 3);
        rechecks.await(TestEngine.NAME, claims.subList(0, 1), HOUR);
        rechecks.await(TestEngine.NAME, claims.subList(1, 2), HOUR);
        rechecks.await(TestEngine.NAME, claims.subList(2, 3), 10 * MILLI);

        assertThat(next()).isEqualTo(claims);
    }

    @Test
    void laterOnePostponesNothing() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, claims.subList(0, 1), 2_000 * MILLI);
        rechecks.await(TestEngine.NAME, claims, HOUR);

        assertThat(next()).isEqualTo(claims);
    }

    @Test
    void whoWasAskedIsAskedAgainOnlyWhenItComesBack() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 1);
        rechecks.await(TestEngine.NAME, claims, 0);
        assertThat(next()).isEqualTo(claims);
        assertThat(rechecks.size()).isEqualTo(1);
        settle();
        assertThat(asked).isEmpty();

        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).isEqualTo(claims);
    }

    @Test
    void whoNoLongerWaitsIsNotAsked() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 3);
        rechecks.await(TestEngine.NAME, claims, 2_000 * MILLI);
        claims.get(0).giveUp(time.nanoTime());
        rechecks.remove(claims.get(1));

        assertThat(next()).containsExactly(claims.get(2));
    }

    @Test
    void watchingBeginsWithTheFirstWaiterOfANameAndEndsWithTheLast() throws Exception {
        List<String> watched = new CopyOnWriteArrayList<>();
        RecheckScheduler watching =
                new RecheckScheduler(executors, time, (claims, inTurn) -> answer, new KeyspaceWatches() {
                    @Override
                    public void begin(List<LockName> names) {
                        watched.add("begin " + names.get(0).name());
                    }

                    @Override
                    public void end(List<LockName> names) {
                        watched.add("end " + names.get(0).name());
                    }
                });
        List<Claim> claims = claims(OTHER, 3);
        watching.await(OTHER, claims.subList(0, 1), HOUR);
        watching.await(OTHER, claims, HOUR);
        watching.remove(claims.get(1));
        watching.remove(claims.get(0));
        assertThat(watched).containsExactly("begin other.1");
        watching.remove(claims.get(2));
        watching.remove(claims.get(2));
        assertThat(watched).containsExactly("begin other.1", "end other.1");

        List<Claim> later = claims(OTHER, 1);
        watching.await(OTHER, later, HOUR);
        later.get(0).giveUp(time.nanoTime());
        watching.fireSoon(OTHER);
        settle();
        assertThat(watched).containsExactly("begin other.1", "end other.1", "begin other.1", "end other.1");
        watching.await(OTHER, later, HOUR);
        assertThat(watched).hasSize(4);
    }

    @Test
    void guardGoesWithTheLastWaiter() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, claims, 2_000 * MILLI);
        rechecks.remove(claims.get(0));
        assertThat(rechecks.size()).isEqualTo(1);
        rechecks.remove(claims.get(1));
        assertThat(rechecks.size()).isZero();
        rechecks.remove(claims.get(1));

        CountDownLatch later = new CountDownLatch(1);
        executors.onAsker(2_100 * MILLI, later::countDown);
        assertThat(later.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(asked).isEmpty();
    }

    @Test
    void guardOfWaitersWhoAllGaveUpGoesWhenItFires() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, claims, HOUR);
        claims.forEach(claim -> claim.giveUp(time.nanoTime()));

        rechecks.fireAll();
        settle();

        assertThat(rechecks.size()).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void whoWasGrantedMeanwhileIsNotGuarded() {
        List<Claim> claims = claims(TestEngine.NAME, 1);
        claims.get(0).granted(7, time.nanoTime() + HOUR, time.nanoTime());

        rechecks.await(TestEngine.NAME, claims, 0);

        assertThat(rechecks.size()).isZero();
    }

    @Test
    void everyNameAsksAtOnceWhenMessagesMayHaveBeenLost() throws Exception {
        List<Claim> some = claims(TestEngine.NAME, 2);
        List<Claim> others = claims(OTHER, 1);
        rechecks.await(TestEngine.NAME, some, HOUR);
        rechecks.await(OTHER, others, HOUR);
        assertThat(rechecks.size()).isEqualTo(2);

        rechecks.fireAll();

        assertThat(List.of(next(), next())).containsExactlyInAnyOrder(some, others);
    }

    @Test
    void oneCommandCarriesAtMost256Waiters() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 600);
        rechecks.await(TestEngine.NAME, claims, MILLI);

        assertThat(next()).isEqualTo(claims.subList(0, 256));
        assertThat(next()).isEqualTo(claims.subList(256, 512));
        assertThat(next()).isEqualTo(claims.subList(512, 600));
    }

    @Test
    void onlyWhoAsksBecauseOfTheTimeAsksInTurn() throws Exception {
        List<Claim> claims = claims(TestEngine.NAME, 1);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        next();
        assertThat(lastInTurn).isTrue();

        rechecks.fireAll();
        next();
        assertThat(lastInTurn).isFalse();

        rechecks.fireSoon(TestEngine.NAME);
        next();
        assertThat(lastInTurn).isFalse();
    }

    @Test
    void nextCommandIsSentWhenTheOneBeforeIsAnswered() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, 600);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).isEqualTo(claims.subList(0, 256));
        settle();
        assertThat(asked).isEmpty();

        answer = CompletableFuture.completedFuture(true);
        first.complete(true);

        assertThat(next()).isEqualTo(claims.subList(256, 512));
        assertThat(next()).isEqualTo(claims.subList(512, 600));
    }

    @Test
    void restWaitsForTheNextTimeIfACommandIsNotAnswered() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(true);
        rechecks.await(TestEngine.NAME, claims.subList(0, 256), HOUR);
        first.complete(false);
        settle();
        settle();
        assertThat(asked).isEmpty();

        rechecks.await(TestEngine.NAME, claims.subList(0, 256), MILLI);
        assertThat(next()).isEqualTo(claims.subList(0, 256));
        assertThat(next()).isEqualTo(claims.subList(256, 300));
    }

    @Test
    void restAsksAlthoughThoseBeforeAreRefusedForGood() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(true);
        claims.subList(0, 256).forEach(claim -> claim.giveUp(time.nanoTime()));
        first.complete(false);

        assertThat(next()).isEqualTo(claims.subList(256, 300));
    }

    @Test
    void whoWaitsForALongRoundCountsAsAliveForLonger() throws Exception {
        Duration recheck = Duration.ofSeconds(1);
        Claim claim = slowRound(300);
        assertThat(rechecks.pace(claim, recheck)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
        assertThat(rechecks.pace(claim, recheck.dividedBy(10))).isEqualTo(recheck);
        assertThat(rechecks.pace(claim, recheck.multipliedBy(5))).isEqualTo(recheck.multipliedBy(5));
        assertThat(rechecks.pace(claims(OTHER, 1).get(0), recheck)).isEqualTo(recheck);
    }

    @Test
    void whoseRoundIsOneCommandIsAliveForThreeRechecksHoweverLongItTakes() throws Exception {
        Duration recheck = Duration.ofSeconds(1);
        assertThat(rechecks.pace(slowRound(256), recheck)).isEqualTo(recheck);
    }

    /** Four seconds go by before the first answer. */
    private Claim slowRound(int waiters) throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, waiters);
        rechecks.await(TestEngine.NAME, claims, 0);
        next();
        assertThat(rechecks.pace(claims.get(0), Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(4));
        answer = CompletableFuture.completedFuture(true);
        first.complete(true);
        settle();
        settle();
        return claims.get(0);
    }

    @Test
    void whatIsDueWhileOthersAskComesAfterThem() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).hasSize(256);

        rechecks.fireSoon(TestEngine.NAME);
        settle();
        assertThat(asked).isEmpty();
        answer = CompletableFuture.completedFuture(true);
        first.complete(true);

        assertThat(next()).isEqualTo(claims.subList(256, 300));
        assertThat(next()).isEqualTo(claims.subList(0, 256));
        assertThat(next()).isEqualTo(claims.subList(256, 300));
    }

    @Test
    void whereAnswersMayHaveBeenLostEverybodyAsksAnew() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        answer = first;
        List<Claim> claims = claims(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, claims, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(true);
        rechecks.fireAll();
        assertThat(next()).isEqualTo(claims.subList(0, 256));
        assertThat(next()).isEqualTo(claims.subList(256, 300));

        first.complete(true);
        settle();
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void whoWaitsForSeveralAsksAlone() throws Exception {
        List<LockName> names = List.of(TestEngine.NAME.get(0), OTHER.get(0));
        List<Claim> claims = claims(names, 3);
        rechecks.await(names, claims, MILLI);

        assertThat(List.of(next(), next(), next()))
                .containsExactly(claims.subList(0, 1), claims.subList(1, 2), claims.subList(2, 3));
    }

    private List<Claim> next() throws InterruptedException {
        List<Claim> claims = asked.poll(5, TimeUnit.SECONDS);
        assertThat(claims).as("an acquire is sent within 5 s").isNotNull();
        return claims;
    }

    private void settle() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        executors.onAsker(0, done::countDown);
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    }

    private List<Claim> claims(List<LockName> names, int count) {
        AcquisitionSpec spec = new AcquisitionSpec(names, "i:t7", "web-3:1/main", HOUR, false, HOUR, false, false);
        return IntStream.range(0, count)
                .mapToObj(i -> new Claim("i:" + names.get(0).name() + i, spec, time.nanoTime()))
                .toList();
    }
}
