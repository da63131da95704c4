package dev.baton.lock.redis.transaction;

import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes one attempt at the work of acquire.lua. A request for several locks joins no queue, unlike one of a script: a
 * hand-over by transaction cannot judge its places in the queues of its other locks.
 */
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
    private boolean joined;

    private AcquireTransaction(TransactionConnection redis, RedisKeys keys, AcquireCommand command, String inbox) {
        this.command = command;
        this.inbox = inbox;
        this.overs = command.requests().stream()
                .map(request -> keys.over(command.names().get(0), request.id()))
                .toList();
        this.attempt = new LockTransaction(redis, keys, command.names(), overs);
    }

    /** Returns the reply, or {@code null} if another client made a change in between, and nothing was done. */
    static @Nullable AcquireReply attempt(
            TransactionConnection redis, RedisKeys keys, AcquireCommand command, String inbox) {
        AcquireTransaction acquire = new AcquireTransaction(redis, keys, command, inbox);
        acquire.sortOut();
        acquire.grantIfAlone();
        if (command.names().size() == 1) {
            acquire.queue(acquire.attempt.locks().get(0));
        } else {
            acquire.tryAll();
        }
        return acquire.attempt.commit() ? acquire.reply() : null;
    }

    /** Sorts the requests: ended, already the holder, or still to be served. */
    private void sortOut() {
        List<@Nullable Object> over =
                attempt.askAll(overs.stream().map(key -> List.of("EXISTS", key)).toList());
        for (int i = 0; i < over.size(); i++) {
            Request request = command.requests().get(i);
            HeldLock first = attempt.locks().get(0).held();
            if (LockTransaction.number(over.get(i)) == 1) {
                answers.put(request.id(), new Over());
            } else if (first != null && attempt.locks().stream().allMatch(one -> one.isBy(request.id()))) {
                answers.put(request.id(), new Granted(first.lock().token(), true));
                attempt.locks().forEach(one -> attempt.extend(one, request.leaseMillis()));
            } else {
                open.add(request);
            }
        }
    }

    private void grantIfAlone() {
        if (!open.isEmpty() && fits(open.get(0)) && attempt.hasNoQueue()) {
            grant(open.get(0), 0);
        }
    }

    /**
     * Returns whether no other request holds any of the locks. A request for several locks may itself hold some of
     * them, if the others were deleted.
     */
    private boolean fits(Request request) {
        return attempt.locks().stream().allMatch(one -> one.isOpenTo(request.id()));
    }

    private void grant(Request request, long reserve) {
        answers.put(request.id(), new Granted(attempt.grant(request, reserve), false));
        open.remove(request);
    }

    /** Hands each free lock to its next waiter. The request is granted all its locks if all are free nevertheless. */
    private void tryAll() {
        more = HandOver.ofFreeLocks(attempt, "").more();
        if (open.isEmpty()) {
            return;
        }
        Request request = open.get(0);
        if (!more && fits(request)) {
            grant(request, 0);
        } else {
            deaf = request.kind() != Kind.TRY && !WaiterQueue.hears(attempt, inbox);
        }
    }

    /**
     * Lets all requests that may wait join the queue, or keep their place. A free lock goes to the first in the queue.
     */
    private void queue(WatchedLock lock) {
        List<Request> waiting =
                open.stream().filter(request -> request.kind() != Kind.TRY).toList();
        WaitingProcesses processes = new WaitingProcesses(attempt, lock);
        Map<String, String> joining = waiting.isEmpty() ? Map.of() : join(lock, waiting, processes);
        joined = !joining.isEmpty();
        if (!waiting.isEmpty()) {
            Request first = waiting.get(0);
            boolean heard = processes.hear(
                    WaitingProcess.of(first.id()),
                    first.kind(),
                    command.recheck().toMillis(),
                    inbox);
            deaf = heard && !WaiterQueue.hears(attempt, inbox);
        }
        if (lock.isFree()) {
            choose(lock, processes, joining);
        }
    }

    /**
     * Adds requests to the end of the queue. A request that is in the queue keeps its place, unless its process was
     * forgotten since. Returns those with a new place: their ids and records.
     */
    private Map<String, String> join(WatchedLock lock, List<Request> waiting, WaitingProcesses processes) {
        List<String> records = waiting.stream()
                .map(request -> StoredTexts.waiter(request, List.of(lock.lock)))
                .toList();
        List<List<String>> questions = new ArrayList<>();
        questions.add(List.of("ZREVRANGE", lock.queue, "0", "0", "WITHSCORES"));
        records.forEach(record -> questions.add(List.of("ZSCORE", lock.queue, record)));
        String process = WaitingProcess.of(waiting.get(0).id());
        questions.add(processes.question(process));
        List<@Nullable Object> read = attempt.askAll(questions);
        List<LockTransaction.Scored> last = LockTransaction.scored(read.get(0));
        long arrival = last.isEmpty() ? 0 : last.get(0).score();
        WaitingProcess known = processes.meet(read.get(questions.size() - 1));
        Map<String, String> joining = new LinkedHashMap<>();
        for (int i = 0; i < records.size(); i++) {
            Object score = read.get(i + 1);
            if (score == null || known == null || LockTransaction.number(score) < known.born()) {
                arrival = Math.max(attempt.now, arrival + 1);
                attempt.write("ZADD", lock.queue, Long.toString(arrival), records.get(i));
                joining.put(waiting.get(i).id(), records.get(i));
            }
        }
        return joining;
    }

    /** Grants the free lock to the next request, if there is one. */
    private void choose(WatchedLock lock, WaitingProcesses processes, Map<String, String> joining) {
        Map<String, Request> mine = new LinkedHashMap<>();
        open.forEach(request -> mine.put(request.id(), request));
        WaiterQueue.Found found = new WaiterQueue(attempt, lock, processes).find(mine.keySet(), joining, "");
        more = found.more();
        WaiterQueue.Chosen chosen = found.chosen();
        Request own = chosen == null ? null : mine.get(chosen.id());
        if (own != null) {
            grant(own, own.reserve());
        } else if (chosen != null && chosen.waiter() != null && chosen.process() != null) {
            attempt.handOver(lock, chosen.waiter(), chosen.process());
        } else if (!open.isEmpty() && open.get(0).kind() == Kind.TRY && !more) {
            grant(open.get(0), 0);
        }
        attempt.remove(lock, found.gone());
    }

    private AcquireReply reply() {
        HeldLock held = attempt.locks().stream()
                .map(WatchedLock::held)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Busy busy = held == null
                ? new Busy(null, attempt.mark())
                : new Busy(held.holder(attempt.now), attempt.mark(), held.lock().id());
        List<Answer> inOrder = command.requests().stream()
                .map(request -> answers.getOrDefault(request.id(), busy))
                .toList();
        return new AcquireReply(more, inOrder, false, deaf, joined);
    }
}
