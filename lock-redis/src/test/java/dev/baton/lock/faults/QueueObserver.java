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
            local time, rows = redis.call('TIME'), {}
            rows[1] = string.format('%.0f', time[1] * 1000000 + time[2])
            for i = 1, #KEYS, 3 do
              local lock, queue, wait = KEYS[i], KEYS[i + 1], KEYS[i + 2]
              local row = { redis.call('HGET', wait, 'seen') or '0', redis.call('PTTL', lock),
                redis.call('HGET', lock, 'owner') or '', redis.call('HGET', lock, 'token') or '0' }
              local ids = redis.call('ZRANGE', queue, 0, -1, 'WITHSCORES')
              for j = 1, #ids, 2 do
                local record = cjson.decode(redis.call('HGET', wait, ids[j]) or '{}')
                row[#row + 1] = record.owner or ''
                row[#row + 1] = ids[j + 1]
                row[#row + 1] = record.alive or '0'
                row[#row + 1] = record.deadline or '0'
                row[#row + 1] = record.pass or '0'
                row[#row + 1] = table.concat(record.names or { lock }, ' ')
                row[#row + 1] = record.kind == 'poll' and record.asks or '0'
                row[#row + 1] = record.inbox and redis.call('PUBSUB', 'NUMSUB', record.inbox)[2] or 0
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
