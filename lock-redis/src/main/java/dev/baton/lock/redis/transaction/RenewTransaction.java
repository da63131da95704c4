package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of renew.lua. */
final class RenewTransaction {

    private RenewTransaction() {}

    /**
     * Returns the missing locks of each renewal, or {@code null} if another client made a change in between, and
     * nothing was done.
     */
    static @Nullable List<List<LockName>> attempt(TransactionConnection redis, RedisKeys keys, RenewCommand command) {
        List<String> watch = new ArrayList<>(List.of("WATCH"));
        List<List<String>> questions = new ArrayList<>();
        for (RenewCommand.Renewal renewal : command.renewals()) {
            String lock = keys.lock(renewal.names().get(0));
            watch.add(lock);
            questions.add(List.of("HMGET", lock, "mode", "id"));
            questions.add(List.of("PTTL", lock));
        }
        questions.add(0, watch);
        List<@Nullable Object> read = redis.ask(questions);
        List<List<LockName>> missing = new ArrayList<>();
        List<List<String>> writes = new ArrayList<>();
        for (int i = 0; i < command.renewals().size(); i++) {
            RenewCommand.Renewal renewal = command.renewals().get(i);
            boolean ours = List.of("x", renewal.id()).equals(read.get(2 * i + 1));
            missing.add(ours ? List.of() : renewal.names());
            if (ours && LockTransaction.number(read.get(2 * i + 2)) < renewal.leaseMillis()) {
                writes.add(List.of("PEXPIRE", watch.get(i + 1), Long.toString(renewal.leaseMillis())));
            }
        }
        if (writes.isEmpty()) {
            redis.ask(List.of(List.of("UNWATCH")));
            return missing;
        }
        return redis.commit(writes) ? missing : null;
    }
}
