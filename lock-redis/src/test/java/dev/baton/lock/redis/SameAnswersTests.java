package dev.baton.lock.redis;

import static dev.baton.lock.redis.StoreUser.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that scripts and transactions give the same answers, writes and grants for random commands of two processes.
 */
class SameAnswersTests {

    private static final int SEQUENCES = 150;
    private static final int STEPS = 14;
    private static final int REQUESTS = 4;
    private static final List<Kind> KINDS = List.of(Kind.values());

    @ParameterizedTest
    @EnumSource
    void transactionsAnswerLikeScripts(Client client) throws Exception {
        long seed = Long.getLong("baton.seed", System.nanoTime());
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
    private record Step(int what, boolean first, int number, Kind kind, boolean batch) {

        static Step any(Random random) {
            return new Step(
                    random.nextInt(10),
                    random.nextBoolean(),
                    random.nextInt(REQUESTS),
                    KINDS.get(random.nextInt(KINDS.size())),
                    random.nextInt(4) == 0);
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
                case 4, 5, 6 -> text(answer(user.end(step.number, 0)));
                case 7 -> text(answer(user.end(step.number, 60_000)));
                case 8 ->
                    answer(user.renew(step.batch ? 0 : StoreUser.LEASE, 0, 1, 2, 3))
                            .toString();
                default -> redis.command("DEL", "lock:lock:{orders.1}").toString();
            };
        }

        private static String text(StoreUser user, Step step) throws Exception {
            Request one = user.request(step.number, step.kind);
            Request other = user.request((step.number + 1) % REQUESTS, Kind.MESSAGE);
            return text(answer(step.batch ? user.acquire(one, other) : user.acquire(one)));
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
            return reply.role() + " more " + reply.incomplete();
        }

        private String state() {
            return String.join(
                    " ",
                    redis.keys().toString(),
                    Objects.toString(redis.command("HMGET", "lock:lock:{orders.1}", "mode", "id", "owner", "label")),
                    Objects.toString(redis.command("ZRANGE", "lock:queue:{orders.1}", "0", "-1")),
                    sorted(redis.command("HKEYS", "lock:wait:{orders.1}")));
        }

        private static String sorted(Object keys) {
            return ((List<?>) keys)
                    .stream().map(Object::toString).sorted().toList().toString();
        }

        @Override
        public void close() {
            a.close();
            b.close();
            redis.close();
        }
    }
}
