package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.autoconfigure.LockAutoConfiguration;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Applications on the shared Redis, in a namespace of the class, and a journal of events in their order. */
@Timeout(60)
abstract class CombinationFixture {

    final TestRedis redis = TestRedis.shared();
    final String namespace = getClass().getSimpleName();

    /** The grants, releases and time-outs of all applications, and the entries of the methods. */
    final List<String> journal = new CopyOnWriteArrayList<>();

    final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.host=" + redis.host(),
                    "spring.data.redis.port=" + redis.port(),
                    "baton.namespace=" + namespace,
                    "baton.command-timeout=10s")
            .withBean(LockListener.class, () -> new JournalListener(journal));

    @AfterEach
    void nothingIsLeft() {
        await().untilAsserted(() ->
                assertThat(redis.keys()).noneMatch(key -> key.startsWith(namespace + ":") && key.contains("lock:{")));
    }

    static Lease hold(ApplicationContext other, String scope) {
        return other.getBean(LockOperations.class).acquire(LockRequest.of(scope).waitTime(Duration.ofSeconds(10)));
    }

    /** Returns whether Redis has the lock at this moment. */
    final boolean isLocked(String scope) {
        return redis.keys().contains(namespace + ":lock:{" + scope + ".global}");
    }

    final void awaitJournal(String... entries) {
        await().untilAsserted(() -> assertThat(journal).containsExactly(entries));
    }

    /** Records the events of locks. */
    private record JournalListener(List<String> journal) implements LockListener {

        @Override
        public void granted(Granted event) {
            journal.add("lock " + event.names().get(0));
        }

        @Override
        public void released(Released event) {
            journal.add("release " + event.names().get(0));
        }

        @Override
        public void timedOut(TimedOut event) {
            journal.add("busy " + event.names().get(0));
        }
    }
}
