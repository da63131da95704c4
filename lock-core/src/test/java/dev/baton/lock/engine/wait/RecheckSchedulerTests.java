package dev.baton.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.wait.RecheckScheduler.Result;
import dev.baton.lock.store.AcquireReply;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecheckSchedulerTests {

    private static final List<LockName> OTHER = List.of(new LockName("", "other.1"));
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final EngineExecutors executors = new EngineExecutors(TimeSource.SYSTEM);
    private final ManualTime time = new ManualTime();
    private final BlockingQueue<List<Ticket>> asked = new LinkedBlockingQueue<>();
    /** The result of the next round of acquires. */
    private volatile CompletableFuture<Result> answer = CompletableFuture.completedFuture(Result.ANSWERED);

    private volatile boolean lastInTurn;
    private volatile List<Ticket> lastBehind = List.of();

    private final RecheckScheduler rechecks = new RecheckScheduler(
            executors,
            time,
            (tickets, behind, inTurn) -> {
                CompletableFuture<Result> mine = answer;
                lastInTurn = inTurn;
                lastBehind = List.copyOf(behind);
                asked.add(List.copyOf(tickets));
                return mine;
            },
            KeyspaceWatches.NOTHING);

    @AfterEach
    void stop() {
        executors.stop();
    }

    @Test
    void waitersOfANameAskTogetherByArrival() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 3);
        rechecks.await(TestEngine.NAME, tickets.subList(0, 1), HOUR);
        rechecks.await(TestEngine.NAME, tickets.subList(1, 2), HOUR);
        rechecks.await(TestEngine.NAME, tickets.subList(2, 3), 10 * MILLI);

        assertThat(next()).isEqualTo(tickets);
    }

    @Test
    void laterWaiterPostponesNoRecheck() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, tickets.subList(0, 1), 2_000 * MILLI);
        rechecks.await(TestEngine.NAME, tickets, HOUR);

        assertThat(next()).isEqualTo(tickets);
    }

    @Test
    void waiterIsRecheckedAgainOnlyAfterItAwaitsAgain() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 1);
        rechecks.await(TestEngine.NAME, tickets, 0);
        assertThat(next()).isEqualTo(tickets);
        assertThat(rechecks.size()).isEqualTo(1);
        settle();
        assertThat(asked).isEmpty();

        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).isEqualTo(tickets);
    }

    @Test
    void ticketThatNoLongerWaitsIsNotRechecked() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 3);
        rechecks.await(TestEngine.NAME, tickets, 2_000 * MILLI);
        tickets.get(0).giveUp(time.nanoTime());
        rechecks.remove(tickets.get(1));

        assertThat(next()).containsExactly(tickets.get(2));
    }

    @Test
    void watchingBeginsWithTheFirstWaiterOfANameAndEndsWithTheLast() throws Exception {
        List<String> watched = new CopyOnWriteArrayList<>();
        RecheckScheduler watching =
                new RecheckScheduler(executors, time, (tickets, behind, inTurn) -> answer, new KeyspaceWatches() {
                    @Override
                    public void begin(List<LockName> names) {
                        watched.add("begin " + names.get(0).name());
                    }

                    @Override
                    public void end(List<LockName> names) {
                        watched.add("end " + names.get(0).name());
                    }
                });
        List<Ticket> tickets = tickets(OTHER, 3);
        watching.await(OTHER, tickets.subList(0, 1), HOUR);
        watching.await(OTHER, tickets, HOUR);
        watching.remove(tickets.get(1));
        watching.remove(tickets.get(0));
        assertThat(watched).containsExactly("begin other.1");
        watching.remove(tickets.get(2));
        watching.remove(tickets.get(2));
        assertThat(watched).containsExactly("begin other.1", "end other.1");

        List<Ticket> later = tickets(OTHER, 1);
        watching.await(OTHER, later, HOUR);
        later.get(0).giveUp(time.nanoTime());
        watching.fireSoon(OTHER);
        settle();
        assertThat(watched).containsExactly("begin other.1", "end other.1", "begin other.1", "end other.1");
        watching.await(OTHER, later, HOUR);
        assertThat(watched).hasSize(4);
    }

    /** The lock was freed after the busy answer and before the watch. */
    @Test
    void waiterAsksAtOnceIfItsLockIsFreeWhenTheWatchBegins() throws Exception {
        AtomicReference<RecheckScheduler> watching = new AtomicReference<>();
        watching.set(new RecheckScheduler(
                executors,
                time,
                (tickets, behind, inTurn) -> {
                    asked.add(List.copyOf(tickets));
                    return answer;
                },
                new KeyspaceWatches() {
                    @Override
                    public void begin(List<LockName> names) {
                        watching.get().fireSoon(names);
                    }

                    @Override
                    public void end(List<LockName> names) {
                        // nothing depends on it
                    }
                }));
        List<Ticket> tickets = tickets(OTHER, 1);
        watching.get().await(OTHER, tickets, HOUR);

        assertThat(next()).isEqualTo(tickets);
    }

    @Test
    void groupIsRemovedWithItsLastWaiter() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, tickets, 2_000 * MILLI);
        rechecks.remove(tickets.get(0));
        assertThat(rechecks.size()).isEqualTo(1);
        rechecks.remove(tickets.get(1));
        assertThat(rechecks.size()).isZero();
        rechecks.remove(tickets.get(1));

        CountDownLatch later = new CountDownLatch(1);
        executors.onAsker(2_100 * MILLI, later::countDown);
        assertThat(later.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(asked).isEmpty();
    }

    @Test
    void groupWithoutWaitersIsRemovedWhenItFires() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 2);
        rechecks.await(TestEngine.NAME, tickets, HOUR);
        tickets.forEach(ticket -> ticket.giveUp(time.nanoTime()));

        rechecks.fireAll();
        settle();

        assertThat(rechecks.size()).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void grantedTicketIsNotScheduled() {
        List<Ticket> tickets = tickets(TestEngine.NAME, 1);
        tickets.get(0).granted(7, time.nanoTime() + HOUR, time.nanoTime());

        rechecks.await(TestEngine.NAME, tickets, 0);

        assertThat(rechecks.size()).isZero();
    }

    @Test
    void everyNameAsksAtOnceWhenMessagesMayHaveBeenLost() throws Exception {
        List<Ticket> some = tickets(TestEngine.NAME, 2);
        List<Ticket> others = tickets(OTHER, 1);
        rechecks.await(TestEngine.NAME, some, HOUR);
        rechecks.await(OTHER, others, HOUR);
        assertThat(rechecks.size()).isEqualTo(2);

        rechecks.fireAll();

        assertThat(List.of(next(), next())).containsExactlyInAnyOrder(some, others);
    }

    @Test
    void oneCommandCarriesAtMost256Waiters() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 600);
        rechecks.await(TestEngine.NAME, tickets, MILLI);

        assertThat(next()).isEqualTo(tickets.subList(0, 256));
        assertThat(next()).isEqualTo(tickets.subList(256, 512));
        assertThat(next()).isEqualTo(tickets.subList(512, 600));
    }

    @Test
    void onlyATimedRecheckIsInTurn() throws Exception {
        List<Ticket> tickets = tickets(TestEngine.NAME, 1);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
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
    void nextCommandIsSentAfterTheAnswerToThePreviousCommand() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = tickets(TestEngine.NAME, 600);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).isEqualTo(tickets.subList(0, 256));
        settle();
        assertThat(asked).isEmpty();

        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        first.complete(Result.ANSWERED);

        assertThat(next()).isEqualTo(tickets.subList(256, 512));
        assertThat(next()).isEqualTo(tickets.subList(512, 600));
    }

    @Test
    void remainingWaitersAwaitTheNextRoundIfACommandIsNotAnswered() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = tickets(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        rechecks.await(TestEngine.NAME, tickets.subList(0, 256), HOUR);
        first.complete(Result.FAILED);
        settle();
        settle();
        assertThat(asked).isEmpty();

        rechecks.await(TestEngine.NAME, tickets.subList(0, 256), MILLI);
        assertThat(next()).isEqualTo(tickets.subList(0, 256));
        assertThat(next()).isEqualTo(tickets.subList(256, 300));
    }

    @Test
    void remainingWaitersAskAlthoughThePreviousCommandIsRefused() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = tickets(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        tickets.subList(0, 256).forEach(ticket -> ticket.giveUp(time.nanoTime()));
        first.complete(Result.FAILED);

        assertThat(next()).isEqualTo(tickets.subList(256, 300));
    }

    @Test
    void oldestAsksOnBehalfOfAllThatAreInTheQueue() throws Exception {
        List<Ticket> tickets = queued(600);
        rechecks.await(TestEngine.NAME, tickets, MILLI);

        assertThat(next()).containsExactly(tickets.get(0));
        assertThat(lastBehind).isEqualTo(tickets.subList(1, 600));
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void waitersWithoutAPlaceAskForThemselves() throws Exception {
        List<Ticket> tickets = queued(5);
        tickets.get(0).unqueued();
        tickets.get(3).unqueued();
        rechecks.await(TestEngine.NAME, tickets, MILLI);

        assertThat(next()).containsExactly(tickets.get(1));
        assertThat(next()).containsExactly(tickets.get(0), tickets.get(3));
        assertThat(lastBehind).isEmpty();
    }

    @Test
    void allAskAgainInTheirOrderIfTheOldestHadLostItsPlace() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = queued(300);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).containsExactly(tickets.get(0));

        answer = CompletableFuture.completedFuture(Result.JOINED);
        first.complete(Result.JOINED);

        assertThat(next()).isEqualTo(tickets.subList(1, 257));
        assertThat(next()).isEqualTo(tickets.subList(257, 300));
        settle();
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void roundEndsIfTheOldestGetsNoAnswer() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = queued(2);
        tickets.get(1).unqueued();
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).containsExactly(tickets.get(0));

        rechecks.await(TestEngine.NAME, tickets, HOUR);
        first.complete(Result.FAILED);
        settle();
        settle();
        assertThat(asked).isEmpty();
    }

    /** The answer that was lost may have said that the oldest had lost its place. */
    @Test
    void allAskForThemselvesAfterAQuestionOfTheOldestWithoutAnAnswer() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = queued(3);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).containsExactly(tickets.get(0));

        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        first.complete(Result.FAILED);
        settle();
        rechecks.await(TestEngine.NAME, tickets, MILLI);

        assertThat(next()).containsExactly(tickets.get(0));
        assertThat(next()).containsExactly(tickets.get(1), tickets.get(2));
    }

    private List<Ticket> queued(int count) {
        List<Ticket> tickets = tickets(TestEngine.NAME, count);
        tickets.forEach(ticket -> ticket.seen(new AcquireReply.Busy(null, 1), time.nanoTime()));
        return tickets;
    }

    @Test
    void roundDueDuringAnotherRoundFollowsIt() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = tickets(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).hasSize(256);

        rechecks.fireSoon(TestEngine.NAME);
        settle();
        assertThat(asked).isEmpty();
        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        first.complete(Result.ANSWERED);

        assertThat(next()).isEqualTo(tickets.subList(256, 300));
        assertThat(next()).isEqualTo(tickets.subList(0, 256));
        assertThat(next()).isEqualTo(tickets.subList(256, 300));
    }

    @Test
    void lostAnswersMakeAllWaitersAskAgain() throws Exception {
        CompletableFuture<Result> first = new CompletableFuture<>();
        answer = first;
        List<Ticket> tickets = tickets(TestEngine.NAME, 300);
        rechecks.await(TestEngine.NAME, tickets, MILLI);
        assertThat(next()).hasSize(256);

        answer = CompletableFuture.completedFuture(Result.ANSWERED);
        rechecks.fireAll();
        assertThat(next()).isEqualTo(tickets.subList(0, 256));
        assertThat(next()).isEqualTo(tickets.subList(256, 300));

        first.complete(Result.ANSWERED);
        settle();
        settle();
        assertThat(asked).isEmpty();
    }

    @Test
    void waiterForSeveralLocksAsksAlone() throws Exception {
        List<LockName> names = List.of(TestEngine.NAME.get(0), OTHER.get(0));
        List<Ticket> tickets = tickets(names, 3);
        rechecks.await(names, tickets, MILLI);

        assertThat(List.of(next(), next(), next()))
                .containsExactly(tickets.subList(0, 1), tickets.subList(1, 2), tickets.subList(2, 3));
    }

    @Test
    void waiterForSeveralLocksAsksWhenAnyOfThemIsFreed() throws Exception {
        List<LockName> names = List.of(TestEngine.NAME.get(0), OTHER.get(0));
        List<Ticket> tickets = tickets(names, 1);
        List<Ticket> single = tickets(OTHER, 1);
        rechecks.await(names, tickets, HOUR);
        rechecks.await(OTHER, single, HOUR);

        rechecks.fireSoonWith(TestEngine.NAME.get(0));
        assertThat(next()).isEqualTo(tickets);
        settle();
        assertThat(asked).isEmpty();

        rechecks.await(names, tickets, HOUR);
        rechecks.fireSoonWith(OTHER.get(0));
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder(tickets, single);
    }

    private List<Ticket> next() throws InterruptedException {
        List<Ticket> tickets = asked.poll(5, TimeUnit.SECONDS);
        assertThat(tickets).as("an acquire is sent within 5 s").isNotNull();
        return tickets;
    }

    private void settle() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        executors.onAsker(0, done::countDown);
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    }

    private List<Ticket> tickets(List<LockName> names, int count) {
        AcquisitionSpec spec =
                TestEngine.spec(names, Duration.ofHours(1), false, Duration.ofHours(1), false, RequestEvents.SILENT);
        RequestRegistry registry = new RequestRegistry("i", Integer.MAX_VALUE);
        return IntStream.range(0, count)
                .mapToObj(i -> registry.ticket(new Acquisition(spec, time.nanoTime(), registry)))
                .toList();
    }
}
