package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that scripts and transactions give the same answers, writes and grants for random commands of two processes.
 */
class SameAnswersTests {

    private static final int SEQUENCES = 150;
    private static final int STEPS = 18;
    private static final int REQUESTS = 4;
    /** The request whose time is over when the next command meets it. */
    private static final int BRIEF = 3;
    /** Added to the number of a request for the other lock alone, and twice for both. */
    private static final int OTHERS = 10;

    private static final LockName OTHER = new LockName("", "orders.2");
    private static final List<List<LockName>> NAMES =
            List.of(List.of(StoreUser.NAME), List.of(OTHER), List.of(StoreUser.NAME, OTHER));
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(5);
    private static final List<Kind> KINDS = List.of(Kind.values());

    @ParameterizedTest
    @EnumSource
    void transactionsAnswerLikeScripts(Client client) throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        Random random = new Random(seed);
        try (Fleet scripts = new Fleet(LockHandler.SCRIPT, client);
                Fleet transactions = new Fleet(LockHandler.TRANSACTION, client)) {
            for (int i = 0; i < SEQUENCES; i++) {
                List<Step> steps =
                        Stream.generate(() -> Step.any(random)).limit(STEPS).toList();
                assertThat(transactions.run(steps))
                        .as("seed %d, sequence %d: %s", seed, i, steps)
                        .isEqualTo(scripts.run(steps));
            }
        }
    }

    /** A command of one of two processes, or a change of the keys. */
    private record Step(int what, boolean first, int group, int number, Kind kind, boolean batch) {

        static Step any(Random random) {
            int group = Math.max(0, random.nextInt(5) - 2);
            return new Step(
                    random.nextInt(13),
                    random.nextBoolean(),
                    group,
                    group * OTHERS + random.nextInt(REQUESTS),
                    // a request for both is compared as a try: by transaction it joins no queue
                    group == 2 ? Kind.TRY : KINDS.get(random.nextInt(KINDS.size())),
                    random.nextInt(4) == 0);
        }

        List<LockName> names() {
            return NAMES.get(group);
        }

        /** Returns the name of the first lock, for commands that change one key. */
        String name() {
            return names().get(0).name();
        }
    }

    /** Two processes on a server of their own. */
    private static final class Fleet implements AutoCloseable {

        private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
        private final StoreUser a;
        private final StoreUser b;

        Fleet(LockHandler handler, Client client) {
            Backend backend = new Backend(client, 0);
            a = new StoreUser(backend.connect(redis.host(), redis.port()), "a", store -> store.handler(handler));
            b = new StoreUser(backend.connect(redis.host(), redis.port()), "b", store -> store.handler(handler));
            a.awaitListening();
            b.awaitListening();
        }

        /** Returns the answers, and the state of Redis after each step. */
        List<String> run(List<Step> steps) throws Exception {
            redis.command("FLUSHALL");
            List<String> seen = new ArrayList<>();
            for (Step step : steps) {
                seen.add(text(step) + " | " + state());
            }
            return seen;
        }

        private String text(Step step) throws Exception {
            StoreUser user = step.first ? a : b;
            return switch (step.what) {
                case 0, 1, 2, 3 -> text(user, step);
                case 4, 5, 6 -> text(answer(end(user, step, step.batch ? 30_000 : 0, 0)));
                case 7 -> text(answer(end(user, step, 0, 60_000)));
                case 8 ->
                    answer(user.store.renew(renewal(user, step.batch ? 0 : StoreUser.LEASE)))
                            .toString();
                case 9 -> silence(user, step);
                case 10 -> text(answer(user.store.administration().inspect(first(step), 2, TIMEOUT)));
                case 11 ->
                    "was held "
                            + (answer(user.store.administration().forceRelease(first(step), TIMEOUT))
                                            .holder()
                                    != null);
                default ->
                    redis.command("DEL", "lock:lock:{" + step.name() + "}").toString();
            };
        }

        private static LockName first(Step step) {
            return step.names().get(0);
        }

        private static RenewCommand renewal(StoreUser user, long lease) {
            List<RenewCommand.Renewal> renewals = new ArrayList<>();
            for (int group = 0; group < NAMES.size(); group++) {
                for (int i = 0; i < REQUESTS; i++) {
                    renewals.add(new RenewCommand.Renewal(NAMES.get(group), user.id(group * OTHERS + i), lease));
                }
            }
            return new RenewCommand(renewals, TIMEOUT);
        }

        private static String text(StoreUser user, Step step) throws Exception {
            List<Request> requests = new ArrayList<>(List.of(request(user, step.number, step.kind)));
            if (step.batch && step.group != 2) {
                int next = step.group * OTHERS + (step.number + 1) % OTHERS % REQUESTS;
                requests.add(request(user, next, Kind.MESSAGE));
            }
            return text(
                    answer(user.store.acquire(new AcquireCommand(step.names(), requests, StoreUser.RECHECK, TIMEOUT))));
        }

        private static Request request(StoreUser user, int number, Kind kind) {
            return user.request(number, kind, number % OTHERS == BRIEF ? 0 : -1);
        }

        private static CompletableFuture<EndReply> end(StoreUser user, Step step, long keepMillis, long markMillis) {
            return user.store.end(new EndCommand(
                    step.names(),
                    user.id(step.number),
                    request(user, step.number, Kind.MESSAGE),
                    keepMillis,
                    markMillis,
                    TIMEOUT));
        }

        /**
         * Makes a process that waits silent.
         *
         * @param step says by its {@code batch} whether all processes were quiet meanwhile, so that the next recheck begins
         *     another run
         */
        private String silence(StoreUser user, Step step) {
            boolean afterStall = step.batch;
            String wait = "lock:wait:{" + step.name() + "}";
            String field = user.instance + ":";
            Object known = redis.command("HGET", wait, field);
            if (known == null) {
                return "not waiting";
            }
            String[] part = known.toString().split(" ", 5);
            redis.command("HSET", wait, field, "5 1 " + part[2] + " " + part[3] + " " + part[4]);
            return redis.command("HSET", wait, "run", (afterStall ? "10" : "9000000000000000") + " 1 10000000")
                    .toString();
        }

        private static String text(AcquireReply reply) {
            StringBuilder text = new StringBuilder("more " + reply.incomplete() + " deaf " + reply.unsubscribed());
            for (Answer answer : reply.answers()) {
                text.append(' ').append(answer.getClass().getSimpleName());
                if (answer instanceof Granted granted) {
                    text.append(granted.again());
                } else if (answer instanceof Busy busy && busy.holder() != null) {
                    text.append(busy.holder().label())
                            .append(busy.mark() == busy.holder().fencingToken());
                }
            }
            return text.toString();
        }

        private static String text(EndReply reply) {
            return reply.role() + " more " + reply.incomplete() + " missing " + reply.missing() + " to "
                    + reply.handedTo();
        }

        private static String text(LockState state) {
            return state.holder().map(LockHolder::owner) + " " + state.waiting() + " "
                    + state.waiters().stream().map(LockWaiter::label).toList();
        }

        private String state() {
            StringBuilder state = new StringBuilder(redis.keys().toString());
            for (String name : List.of("{orders.1}", "{orders.2}")) {
                state.append(' ')
                        .append(lock(redis.command("GET", "lock:lock:" + name)))
                        .append(' ')
                        .append(redis.command("ZRANGE", "lock:queue:" + name, "0", "-1"))
                        .append(' ')
                        .append(processes((List<?>) redis.command("HGETALL", "lock:wait:" + name)));
            }
            return state.toString();
        }

        /** Returns the text of the lock without its token and time. */
        private static String lock(@Nullable Object text) {
            return text == null ? "free" : text.toString().replaceFirst("^(\\S+ \\S+ \\S*) \\d+ \\d+ ", "$1 ");
        }

        /** Returns the fields of the wait key without their times, and whether a process is known to be silent. */
        private static String processes(List<?> hash) {
            Map<String, String> fields = new TreeMap<>();
            for (int i = 0; i < hash.size(); i += 2) {
                String text = hash.get(i + 1).toString();
                fields.put(hash.get(i).toString(), text.replaceAll("\\d{6,}", "time"));
            }
            return fields.toString();
        }

        @Override
        public void close() {
            a.close();
            b.close();
            redis.close();
        }
    }
}
