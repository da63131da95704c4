package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
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
        // MGET answers nothing for a key of another type
        List<String> texts = new ArrayList<>(List.of("MGET"));
        List<List<String>> questions = new ArrayList<>(List.of(watch, texts));
        for (RenewCommand.Renewal renewal : command.renewals()) {
            String lock = keys.lock(renewal.names().get(0));
            watch.add(lock);
            texts.add(lock);
            questions.add(List.of("PTTL", lock));
        }
        List<@Nullable Object> read = redis.ask(questions);
        List<?> held = LockTransaction.list(read.get(1));
        List<List<LockName>> missing = new ArrayList<>();
        List<List<String>> writes = new ArrayList<>();
        for (int i = 0; i < command.renewals().size(); i++) {
            RenewCommand.Renewal renewal = command.renewals().get(i);
            Object text = held.get(i);
            boolean ours = text != null && text.toString().startsWith(StoredTexts.head(renewal.id()));
            missing.add(ours ? List.of() : renewal.names());
            if (ours && LockTransaction.number(read.get(i + 2)) < renewal.leaseMillis()) {
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
