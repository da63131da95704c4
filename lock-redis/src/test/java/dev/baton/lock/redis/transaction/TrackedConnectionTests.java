package dev.baton.lock.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests the tracking of a connection, which may be replaced until it has changed data. */
class TrackedConnectionTests {

    private static final List<List<String>> WRITES = List.of(List.of("SET", "k", "v"));

    private final Queue<BooleanSupplier> commits = new ArrayDeque<>();
    private final TrackedConnection connection = new TrackedConnection(new ScriptedConnection());

    @Test
    void questionsAndRefusedCommitsChangeNothing() {
        connection.ask(List.of(List.of("WATCH", "k")));
        commits.add(() -> false);
        assertThat(connection.commit(WRITES)).isFalse();
        assertThat(connection.mayHaveChanged()).isFalse();
    }

    @Test
    void changedConnectionStaysChanged() {
        commits.add(() -> true);
        commits.add(() -> false);
        assertThat(connection.commit(WRITES)).isTrue();
        assertThat(connection.commit(WRITES)).isFalse();
        assertThat(connection.mayHaveChanged()).isTrue();
    }

    @Test
    void unansweredCommitMayHaveChangedData() {
        commits.add(() -> {
            throw new IllegalStateException("lost");
        });
        assertThatThrownBy(() -> connection.commit(WRITES)).hasMessage("lost");
        assertThat(connection.mayHaveChanged()).isTrue();
    }

    private final class ScriptedConnection implements TransactionConnection {

        @Override
        public List<Object> ask(List<List<String>> commands) {
            return List.of();
        }

        @Override
        public List<Object> exec(List<List<String>> commands) {
            return commits.remove().getAsBoolean() ? List.of() : null;
        }

        @Override
        public void close(boolean failed) {}
    }
}
