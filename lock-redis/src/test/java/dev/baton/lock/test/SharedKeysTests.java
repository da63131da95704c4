package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.RedisStoreHost;
import dev.baton.lock.support.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests with random commands of readers and writers when the keys of their lock expire on Redis, and that none is left. */
@Tag("once")
class SharedKeysTests {

    private static final int RUNS = 40;
    private static final int STEPS = 60;

    /** For rounding. */
    private static final long EARLY_MILLIS = 2;

    /** A script reads the clock before it sets an expiry, and the machine may be busy in between. */
    private static final long LATE_MILLIS = 500;

    /** The clock of Redis may move on within the script that looks. */
    private static final int LOOKS = 10;

    /** All keys without an expiry, and, of a shared lock, by how much the expiry of each of its keys misses its last reader. */
    private static final String LOOK = """
            local found = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
              if redis.call('PTTL', key) == -1 then
                found[#found + 1] = 'without expiry ' .. key
              end
            end
            local text = redis.call('GET', KEYS[1])
            if text and string.sub(text, 1, 4) == '2 s ' then
              local now = redis.call('TIME')
              local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
              local left = last - math.floor(now[1] * 1000 + now[2] / 1000)
              for _, key in ipairs(KEYS) do
                found[#found + 1] = string.format('%.0f', redis.call('PTTL', key) - left) .. ' ' .. key
              end
            end
            return found
            """;

    private final long seed = Long.getLong("test.faults.seed", System.nanoTime());
    private final RedisStoreHost host = new RedisStoreHost(Backend.LETTUCE);
    private final SharedRun run = new SharedRun(host);

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void keysOfASharedLockExpireWithItsLastReader() {
        for (int i = 0; i < RUNS; i++) {
            assertThat(run.run(seed + i, STEPS, step -> lastingWrong()))
                    .as("steps of -Dtest.faults.seed=%d", seed + i)
                    .isEmpty();
        }
    }

    private @Nullable String lastingWrong() {
        String wrong = wrongExpiry();
        for (int i = 1; i < LOOKS && wrong != null; i++) {
            wrong = wrongExpiry();
        }
        return wrong;
    }

    private @Nullable String wrongExpiry() {
        List<String> wrong = new ArrayList<>();
        Object reply = host.command("EVAL", LOOK, "3", "lock:lock:{x.1}", "lock:readers:{x.1}", "lock:reader:{x.1}");
        for (Object line : (List<?>) Objects.requireNonNull(reply)) {
            String[] words = line.toString().split(" ", 2);
            if (words[0].equals("without")) {
                if (!line.equals("without expiry lock:fence")) {
                    wrong.add(line.toString());
                }
                continue;
            }
            long late = Long.parseLong(words[0]);
            if (late < -EARLY_MILLIS || late > LATE_MILLIS) {
                wrong.add(words[1] + " misses the last reader by " + late + " ms");
            }
        }
        return wrong.isEmpty() ? null : wrong.toString();
    }

    @Test
    void onlyTheFenceAndMarksAreLeftAfterAllEnds() {
        for (int i = 0; i < RUNS; i++) {
            run.run(seed + i, STEPS, step -> null);
            run.endAll();
            assertThat((List<?>) host.command("KEYS", "*"))
                    .as("keys after the steps of -Dtest.faults.seed=%d", seed + i)
                    .allMatch(key -> key.toString().matches("lock:(fence|over:.*|wait:.*)"));
        }
    }
}
