package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Request;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;

/** Calls the scripts for the condition {@code notEmpty} of the lock of a {@link LockRow}, and reads its list. */
record ConditionRow(RedisView redis, LockRow row, String condition) {

    static final String LIST = "lock:cond:{orders.1}:notEmpty";

    ConditionRow(RedisView redis, LockRow row) {
        this(redis, row, "notEmpty");
    }

    /** Returns another condition of the same lock. */
    ConditionRow other() {
        return new ConditionRow(redis, row, "not.Full_2-x");
    }

    /** The reply of an await. */
    record AwaitResult(String what, long more, String highest, long deaf, List<?> next) {}

    /** The reply of an end. */
    record EndResult(String what, List<?> next) {}

    /** Returns the record of a request that awaits this condition. */
    String record(Request request) {
        return request.record().replaceFirst("^2 x", "2 c") + " " + condition;
    }

    /** Lets a holder await the condition by another request. */
    AwaitResult await(String id, Request next) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(id), over(next.id()));
        List<String> args = List.of(id, "60000", process(next.id()), next.kind().charAt(0) + record(next));
        List<?> reply = row.call(LuaScript.AWAIT, keys, args);
        return new AwaitResult(
                (String) reply.get(0), (Long) reply.get(1), (String) reply.get(2), (Long) reply.get(3), (List<?>)
                        reply.get(4));
    }

    /** Acquires the lock, and awaits the condition by the request with the next number. */
    void awaits(String id) {
        String before = id + "0";
        if (!row.acquire(Request.waits(before)).answer().startsWith("granted")) {
            throw new AssertionError("the lock is not free");
        }
        if (!await(before, Request.waits(id)).what().equals("awaits")) {
            throw new AssertionError("no await");
        }
    }

    /** Repeats the acquire of requests, of one process, that await the condition. */
    AcquireResult repeat(Request... requests) {
        return acquire(true, requests);
    }

    /** Returns the answer to one request that goes on awaiting the condition. */
    String repeat(String id) {
        return repeat(Request.waits(id)).answer();
    }

    /** Returns the answer to one request that asks for its lock. */
    String ask(String id) {
        return acquire(false, Request.waits(id)).answer();
    }

    AcquireResult acquire(boolean awaits, Request... requests) {
        List<String> keys = new ArrayList<>(List.of(LOCK, QUEUE, WAIT, FENCE));
        List<String> args = new ArrayList<>(List.of(process(requests[0].id())));
        for (Request request : requests) {
            keys.add(over(request.id()));
            String kind = request.kind().substring(0, 1);
            args.add((awaits ? kind.equals("m") ? "c" : "d" : kind) + record(request));
        }
        return LockRow.result(row.call(LuaScript.ACQUIRE, keys, args));
    }

    /** Ends a request that did not take its lock. */
    EndResult end(String id) {
        return end(Request.waits(id), "0 0 c");
    }

    /** Ends a request that took its lock. */
    EndResult endTaken(String id) {
        return end(Request.waits(id), "0 0");
    }

    EndResult end(Request request, String how) {
        List<String> keys = List.of(LOCK, QUEUE, WAIT, FENCE, over(request.id()));
        List<String> args = List.of(request.id(), how, how.endsWith("c") ? record(request) : request.record());
        List<?> reply = LockRow.ended(row.call(LuaScript.RELEASE, keys, args));
        return new EndResult((String) reply.get(0), (List<?>) reply.get(3));
    }

    /** Signals requests of any owner. Returns what the script answers, such as {@code signalled 1}. */
    String signal(String id, int most) {
        return signal(id, most, "");
    }

    String signal(String id, int most, String owner) {
        List<?> reply =
                row.call(LuaScript.SIGNAL, List.of(LOCK, QUEUE, WAIT, FENCE), List.of(id, condition, "" + most, owner));
        return reply.get(0) + " " + reply.get(1);
    }

    /** Returns the ids of the requests that await the condition, in their order. */
    List<String> list() {
        return new StoredState(redis).waiters(LIST.replace("notEmpty", condition));
    }

    private static String process(String id) {
        return LockRow.RECHECK + " " + LockRow.inbox(id);
    }
}
