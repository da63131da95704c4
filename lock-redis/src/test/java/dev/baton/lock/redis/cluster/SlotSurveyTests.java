package dev.baton.lock.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.client.ServerAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what several servers are taken to say about their slots. */
class SlotSurveyTests {

    private static final ServerAddress A = new ServerAddress("a", 1);
    private static final ServerAddress B = new ServerAddress("b", 2);
    private static final ServerAddress C = new ServerAddress("c", 3);
    private static final List<ServerAddress> ALL = List.of(A, B, C);

    private static final Object OLD = List.of(ClusterMapTests.range(0, 16383, "old", 1));
    private static final Object NEW = List.of(ClusterMapTests.range(0, 16383, "new", 2));

    private final Map<ServerAddress, Object> replies = new ConcurrentHashMap<>();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final AtomicInteger hung = new AtomicInteger();
    private final SlotSurvey survey = new SlotSurvey(this::reply, 500);

    private @Nullable Object reply(ServerAddress server) {
        Object reply = replies.get(server);
        if (reply == hanging) {
            hung.incrementAndGet();
            try {
                hanging.await();
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }
        if (reply instanceof RuntimeException failure) {
            throw failure;
        }
        return reply;
    }

    @AfterEach
    void stop() {
        hanging.countDown();
        survey.close();
    }

    private void replies(Object a, Object b, Object c) {
        replies.putAll(Map.of(A, a, B, b, C, c));
    }

    private @Nullable ClusterMap found() {
        return survey.ofAll(ALL).map();
    }

    private static ClusterMap map(Object reply) {
        return ClusterMap.read(reply, A);
    }

    @Test
    void masterThatIsCutOffIsOutvoted() {
        replies(OLD, NEW, NEW);
        assertThat(found()).isEqualTo(map(NEW));
        replies(NEW, NEW, OLD);
        assertThat(found()).isEqualTo(map(NEW));
    }

    @Test
    void serversThatFailOrKnowNoSlotsDoNotCount() {
        replies(new IllegalStateException("down"), List.of(), NEW);
        assertThat(found()).isEqualTo(map(NEW));
        replies(new IllegalStateException("down"), List.of(), "garbage");
        SlotSurvey.Result result = survey.ofAll(ALL);
        assertThat(result.map()).isNull();
        assertThat(result.failure()).isNotNull();
    }

    @Test
    void serverThatHangsIsAwaitedForAMomentAndNotAskedAgain() {
        replies(hanging, NEW, NEW);
        assertThat(found()).isEqualTo(map(NEW));
        assertThat(found()).isEqualTo(map(NEW));
        assertThat(hung).hasValue(1);
    }

    @Test
    void oneServerIsAskedByChance() {
        replies(NEW, NEW, NEW);
        assertThat(survey.ofOne(ALL).map()).isEqualTo(map(NEW));
    }
}
