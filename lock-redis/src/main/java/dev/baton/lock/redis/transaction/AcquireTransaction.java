package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one attempt at the work of acquire.lua. */
final class AcquireTransaction {

    private final AcquireCommand command;
    private final String inbox;
    private final List<String> overs;
    private final LockTransaction attempt;
    private final Map<String, Answer> answers = new LinkedHashMap<>();
    /** Requests that are neither over nor granted, in the order of the command. */
    private final List<Request> open = new ArrayList<>();

    private boolean more;
    private boolean deaf;

    private AcquireTransaction(TransactionConnection redis, RedisKeys keys, AcquireCommand command, String inbox) {
        this.command = command;
        this.inbox = inbox;
        this.overs = command.requests().stream()
                .map(request -> keys.over(command.names().get(0), request.id()))
                .toList();
        this.attempt = new LockTransaction(redis, keys, command.names().get(0), overs);
    }

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable AcquireReply attempt(
            TransactionConnection redis, RedisKeys keys, AcquireCommand command, String inbox) {
        AcquireTransaction acquire = new AcquireTransaction(redis, keys, command, inbox);
        acquire.sortOut();
        acquire.grantIfAlone();
        acquire.queue();
        return acquire.attempt.commit() ? acquire.reply() : null;
    }

    /** Sorts the requests: ended, already the holder, or still to be served. */
    private void sortOut() {
        List<@Nullable Object> over =
                attempt.askAll(overs.stream().map(key -> List.of("EXISTS", key)).toList());
        LockTransaction.Held held = attempt.held();
        for (int i = 0; i < over.size(); i++) {
            Request request = command.requests().get(i);
            if (LockTransaction.number(over.get(i)) == 1) {
                answers.put(request.id(), new Over());
            } else if (held != null && held.isBy(request.id())) {
                answers.put(request.id(), new Granted(held.token(), true));
                if (held.leftMillis() < request.leaseMillis()) {
                    attempt.write("PEXPIRE", attempt.lock, Long.toString(request.leaseMillis()));
                }
            } else {
                open.add(request);
            }
        }
    }

    private void grantIfAlone() {
        if (attempt.held() == null
                && !open.isEmpty()
                && LockTransaction.number(attempt.ask("EXISTS", attempt.queue)) == 0) {
            grant(open.get(0), 0);
        }
    }

    private void grant(Request request, long reserve) {
        long token = attempt.nextToken(reserve);
        attempt.take(request.id(), request.owner(), request.label(), request.leaseMillis(), reserve, token);
        answers.put(request.id(), new Granted(token, false));
        open.remove(request);
    }

    /**
     * Lets all requests that may wait join the queue, or keep their place. A free lock goes to the first in the queue.
     */
    private void queue() {
        Map<String, Request> waiting = new LinkedHashMap<>();
        open.stream().filter(request -> request.kind() != Kind.TRY).forEach(one -> waiting.put(one.id(), one));
        deaf = !waiting.isEmpty() && !WaiterQueue.hears(attempt, inbox);
        Map<String, @Nullable Object> scores = scores(waiting);
        List<String> gone = new ArrayList<>();
        if (attempt.held() == null) {
            gone.addAll(choose(waiting, scores));
        }
        waiting.keySet().removeAll(answers.keySet());
        int joined = 0;
        for (String id : waiting.keySet()) {
            joined += scores.get(id) == null ? 1 : 0;
        }
        attempt.remove(gone, joined);
        if (!waiting.isEmpty()) {
            join(waiting, scores);
        }
    }

    private Map<String, @Nullable Object> scores(Map<String, Request> waiting) {
        List<@Nullable Object> read = attempt.askAll(waiting.keySet().stream()
                .map(id -> List.of("ZSCORE", attempt.queue, id))
                .toList());
        Map<String, @Nullable Object> scores = new LinkedHashMap<>();
        int i = 0;
        for (String id : waiting.keySet()) {
            scores.put(id, read.get(i++));
        }
        return scores;
    }

    /** Grants the free lock to the next request, if there is one. Returns the requests that leave the queue. */
    private List<String> choose(Map<String, Request> waiting, Map<String, @Nullable Object> scores) {
        Map<String, Request> mine = new LinkedHashMap<>();
        open.forEach(request -> mine.put(request.id(), request));
        List<String> joining =
                waiting.keySet().stream().filter(id -> scores.get(id) == null).toList();
        WaiterQueue.Found found =
                new WaiterQueue(attempt, waiting.isEmpty() ? null : attempt.now).find(mine.keySet(), joining, "");
        more = found.more();
        WaiterQueue.Chosen chosen = found.chosen();
        Request own = chosen == null ? null : mine.get(chosen.id());
        if (own != null) {
            grant(own, own.reserve());
        } else if (chosen != null && chosen.waiter() != null) {
            attempt.handOver(chosen.id(), chosen.waiter());
        } else if (!open.isEmpty() && open.get(0).kind() == Kind.TRY && !more) {
            grant(open.get(0), 0);
        }
        return found.gone();
    }

    private void join(Map<String, Request> waiting, Map<String, @Nullable Object> scores) {
        long recheckMillis = command.recheck().toMillis();
        List<?> last = LockTransaction.list(attempt.ask("ZREVRANGE", attempt.queue, "0", "0"));
        long arrival = last.isEmpty()
                ? 0
                : LockTransaction.number(
                        attempt.ask("ZSCORE", attempt.queue, last.get(0).toString()));
        for (Request request : waiting.values()) {
            if (scores.get(request.id()) == null) {
                arrival = Math.max(attempt.now, arrival + 1);
                attempt.write("ZADD", attempt.queue, Long.toString(arrival), request.id());
            }
            attempt.write("HSET", attempt.wait, request.id(), record(request));
        }
        attempt.write("HSET", attempt.wait, "seen", Long.toString(attempt.now));
        for (String key : List.of(attempt.queue, attempt.wait)) {
            if (LockTransaction.number(attempt.ask("PTTL", key)) < 3 * recheckMillis) {
                attempt.write("PEXPIRE", key, Long.toString(3 * recheckMillis));
            }
        }
    }

    private String record(Request request) {
        return WaiterRecord.write(request, attempt.now, command.recheck().toMillis(), inbox);
    }

    private AcquireReply reply() {
        LockTransaction.Held held = attempt.held();
        Busy busy = new Busy(held == null ? null : held.holder(attempt.now), attempt.mark());
        List<Answer> inOrder = command.requests().stream()
                .map(request -> answers.getOrDefault(request.id(), busy))
                .toList();
        return new AcquireReply(more, inOrder, false, deaf);
    }
}
