package dev.baton.lock.faults;

import dev.baton.lock.faults.Snapshot.Holder;
import dev.baton.lock.faults.Snapshot.Lock;
import dev.baton.lock.faults.Snapshot.Waiter;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot of the locks of a mixed load every two milliseconds, on a connection that only a restart interrupts.
 */
final class QueueObserver extends Thread {

    private static final Pattern REQUEST = Pattern.compile("(?:single|several)~\\w+-\\d+~\\d+");

    /**
     * KEYS: lock, queue and wait of each name. Returns rows of text: the time, and per name the holder and the waiters
     * in the queue.
     */
    private static final String SCRIPT = """
            local function digits(number)
              return string.format('%.0f', number)
            end
            local time, rows = redis.call('TIME'), {}
            rows[1] = digits(time[1] * 1000000 + time[2])
            for i = 1, #KEYS, 3 do
              local lock, queue, wait = KEYS[i], KEYS[i + 1], KEYS[i + 2]
              local token, holder = string.match(redis.call('GET', lock) or '', '^2 x [^ ]* (%d+) %d+ ([^ ]*)')
              local seen, began = string.match(redis.call('HGET', wait, 'run') or '', '^(%d+) (%d+)')
              local row = { seen or '0', redis.call('PTTL', lock), holder or '', token or '0' }
              local records = redis.call('ZRANGE', queue, 0, -1, 'WITHSCORES')
              for j = 1, #records, 2 do
                local id, patience, owner, rest =
                  string.match(records[j], '^2 x ([^ ]*) %d+ (%-?%d+) %d+ ([^ ]*) [^ ]*(.*)$')
                local pass, names = string.match(rest, '^ (%d+) (.+)$')
                local till, span, born, kind, inbox = string.match(
                  redis.call('HGET', wait, string.match(id, '^.*:')) or '', '^(%d+) (%d+) (%d+) (%a) (.*)$')
                local arrival = tonumber(records[j + 1])
                local known = till and arrival >= tonumber(born)
                row[#row + 1] = owner
                row[#row + 1] = digits(arrival)
                row[#row + 1] = known and digits(math.max(till, (began or 0) + span)) or '0'
                row[#row + 1] = patience == '-1' and '0' or digits(arrival + patience * 1000)
                row[#row + 1] = pass and digits(arrival + pass * 1000) or '0'
                row[#row + 1] = names or lock
                row[#row + 1] = known and kind == 'p' and digits(till - span * 11 / 16) or '0'
                row[#row + 1] = known and redis.call('PUBSUB', 'NUMSUB', inbox)[2] or 0
              end
              rows[#rows + 1] = row
            end
            return rows
            """;

    private static final int OF_LOCK = 4;
    private static final int OF_WAITER = 8;

    private final ConcurrentLinkedQueue<Snapshot> snapshots = new ConcurrentLinkedQueue<>();
    private final List<String> command = new ArrayList<>(List.of("EVAL", SCRIPT, "" + 3 * MixedWorker.NAMES.size()));
    private final TestRedis redis;
    private volatile boolean ended;

    QueueObserver(TestRedis redis) {
        super("queue-observer");
        setDaemon(true);
        this.redis = redis;
        for (String name : MixedWorker.NAMES) {
            for (String kind : List.of("lock", "queue", "wait")) {
                command.add("lock:" + kind + ":{k." + name + "}");
            }
        }
    }

    void end() {
        ended = true;
    }

    /** Returns the snapshots, in order. */
    List<Snapshot> snapshots() {
        return List.copyOf(snapshots);
    }

    @Override
    public void run() {
        for (int server = 0; !ended; server++) {
            try (RespConnection connection = redis.connect()) {
                while (!ended) {
                    snapshots.add(look(connection, server));
                    TimeUnit.MILLISECONDS.sleep(2);
                }
            } catch (UncheckedIOException | IllegalStateException restarted) {
                Thread.yield();
            } catch (InterruptedException ex) {
                return;
            }
        }
    }

    private Snapshot look(RespConnection connection, int server) {
        long before = System.nanoTime();
        List<?> rows = (List<?>) connection.command(command.toArray(String[]::new));
        long after = System.nanoTime();
        Map<String, Lock> locks = new LinkedHashMap<>();
        for (int i = 0; i < MixedWorker.NAMES.size(); i++) {
            List<String> row =
                    ((List<?>) rows.get(i + 1)).stream().map(String::valueOf).toList();
            locks.put(MixedWorker.NAMES.get(i), lock(row));
        }
        return new Snapshot(server, before, after, number(rows.get(0)), locks);
    }

    private static Lock lock(List<String> row) {
        List<Waiter> queue = new ArrayList<>();
        for (int at = OF_LOCK; at < row.size(); at += OF_WAITER) {
            queue.add(waiter(row.subList(at, at + OF_WAITER)));
        }
        return new Lock(holder(row), number(row.get(0)), queue);
    }

    private static @Nullable Holder holder(List<String> row) {
        long left = number(row.get(1));
        return left == -2 ? null : new Holder(request(row.get(2)), number(row.get(3)), left);
    }

    private static Waiter waiter(List<String> row) {
        List<String> names = Arrays.stream(row.get(5).split(" "))
                .map(key -> key.replaceAll(".*\\{k\\.(.*)}", "$1"))
                .toList();
        return new Waiter(
                request(row.get(0)),
                number(row.get(1)),
                number(row.get(2)),
                number(row.get(3)),
                number(row.get(4)),
                names,
                number(row.get(6)),
                number(row.get(7)) > 0);
    }

    private static String request(String owner) {
        Matcher request = REQUEST.matcher(owner);
        return request.find() ? request.group() : owner;
    }

    private static long number(Object text) {
        // scores may be written with an exponent
        return new BigDecimal(text.toString()).longValueExact();
    }
}
