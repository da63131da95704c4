package dev.baton.lock.redis.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tracks whether anything may have been changed through a connection. For use by one thread. */
final class TrackedConnection implements TransactionConnection {

    private final TransactionConnection connection;
    private boolean changing;

    TrackedConnection(TransactionConnection connection) {
        this.connection = connection;
    }

    /** Returns whether a commit has changed something, or may have done so because it was not answered. */
    boolean mayHaveChanged() {
        return changing;
    }

    @Override
    public List<@Nullable Object> ask(List<List<String>> commands) {
        return connection.ask(commands);
    }

    @Override
    public @Nullable List<@Nullable Object> exec(List<List<String>> commands) {
        boolean before = changing;
        changing = true;
        List<@Nullable Object> answers = connection.exec(commands);
        changing = before || answers != null;
        return answers;
    }

    @Override
    public void close(boolean failed) {
        connection.close(failed);
    }
}
