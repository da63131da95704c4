package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;

class LockProblemsTests {

    private final LockProblems problems = new LockProblems();

    @Test
    void refusedLockIsAConflictThatNamesTheHolder() {
        LockHolder holder =
                new LockHolder("web-3:4711/http-7", "owner", 42, Duration.ofMillis(900), Duration.ofMillis(100));
        ProblemDetail problem =
                problems.busy(new LockTimeoutException("server_access.42", Duration.ofSeconds(2), holder));
        assertThat(problem.getStatus()).isEqualTo(409);
        assertThat(problem.getDetail()).contains("web-3:4711/http-7 for 900 ms");
        assertThat(problem.getProperties())
                .containsEntry("lock", "server_access.42")
                .containsEntry("waitedMillis", 2000L)
                .containsEntry("holder", "web-3:4711/http-7")
                .containsEntry("remainingMillis", 100L);
    }

    @Test
    void lockKeptForOthersHasNoHolder() {
        ProblemDetail problem =
                problems.busy(new LockTimeoutException("server_access.42", Duration.ofSeconds(2), null));
        assertThat(problem.getDetail()).isEqualTo("kept for other waiters");
        assertThat(problem.getProperties()).doesNotContainKey("holder");
    }

    @Test
    void unreachableStoreIsUnavailable() {
        ProblemDetail problem =
                problems.unknown(new LockStoreException("server_access.42", "Redis did not answer", null));
        assertThat(problem.getStatus()).isEqualTo(503);
        assertThat(problem.getDetail()).isEqualTo("Redis did not answer");
        assertThat(problem.getProperties()).containsEntry("lock", "server_access.42");
    }
}
