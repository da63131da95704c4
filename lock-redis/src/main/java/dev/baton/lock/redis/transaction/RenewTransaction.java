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
            for (LockName name : renewal.names()) {
                String lock = keys.lock(name);
                watch.add(lock);
                texts.add(lock);
                questions.add(List.of("PTTL", lock));
            }
        }
        List<@Nullable Object> read = redis.ask(questions);
        List<?> held = LockTransaction.list(read.get(1));
        List<List<LockName>> missing = new ArrayList<>();
        List<List<String>> writes = new ArrayList<>();
        int first = 0;
        for (RenewCommand.Renewal renewal : command.renewals()) {
            String head = StoredTexts.head(renewal.id());
            List<LockName> gone = new ArrayList<>(0);
            List<List<String>> extending = new ArrayList<>(renewal.names().size());
            for (int i = 0; i < renewal.names().size(); i++) {
                Object text = held.get(first + i);
                if (text == null || !text.toString().startsWith(head)) {
                    gone.add(renewal.names().get(i));
                } else if (LockTransaction.number(read.get(first + i + 2)) < renewal.leaseMillis()) {
                    extending.add(List.of("PEXPIRE", watch.get(first + i + 1), Long.toString(renewal.leaseMillis())));
                }
            }
            first += renewal.names().size();
            missing.add(gone);
            if (gone.isEmpty()) {
                writes.addAll(extending);
            }
        }
        if (writes.isEmpty()) {
            redis.ask(List.of(List.of("UNWATCH")));
            return missing;
        }
        return redis.commit(writes) ? missing : null;
    }
}
