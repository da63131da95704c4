package dev.baton.lock.redis.script;

import dev.baton.lock.LockHolder;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Awaited;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.SignalReply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the replies of the scripts. The header of each script describes its reply. */
final class RedisReplies {

    private RedisReplies() {}

    static AcquireReply acquire(List<Object> reply, AcquireCommand command, boolean repeated) {
        if (reply.size() == 1 && command.requests().size() == 1) {
            Granted granted = new Granted(Long.parseLong(text(reply.get(0))), false);
            return new AcquireReply(false, List.of(granted), repeated, false, false);
        }
        requireSize(reply, 6);
        long mark = Long.parseLong(text(reply.get(1)));
        Busy busy = busy(list(reply.get(2)), mark);
        List<Object> answers = list(reply.get(3));
        requireSize(answers, command.requests().size());
        List<Answer> read = new ArrayList<>(answers.size());
        for (int i = 0; i < answers.size(); i++) {
            read.add(answer(list(answers.get(i)), command.requests().get(i), busy, mark));
        }
        return new AcquireReply(
                number(reply.get(0)) == 1,
                read,
                repeated,
                number(reply.get(4)) == 1,
                number(reply.get(5)) == 1,
                conditions(answers, command));
    }

    /** Reads what has become of the requests with conditions, which their answers say last. */
    private static Map<String, Awaited> conditions(List<Object> answers, AcquireCommand command) {
        Map<String, Awaited> read = Map.of();
        for (int i = 0; i < answers.size(); i++) {
            AcquireCommand.Request request = command.requests().get(i);
            List<Object> answer = list(answers.get(i));
            if (!request.condition().isEmpty() && !text(answer.get(0)).equals("over")) {
                read = read.isEmpty() ? new HashMap<>() : read;
                read.put(request.id(), awaited(text(answer.get(answer.size() - 1))));
            }
        }
        return read;
    }

    private static Awaited awaited(String said) {
        return switch (said) {
            case "awaits" -> Awaited.AWAITS;
            case "signalled" -> Awaited.SIGNALLED;
            case "asks" -> Awaited.ASKS;
            default -> throw new IllegalStateException("a script answered '" + said + "'");
        };
    }

    /**
     * Reads an answer.
     *
     * @param mark the number of a grant of a request that shares locks
     */
    private static Answer answer(List<Object> answer, AcquireCommand.Request request, Busy busy, long mark) {
        String what = text(answer.get(0));
        return switch (what) {
            case "granted" -> {
                long token = Long.parseLong(text(answer.get(1)));
                long number = request.shared().isEmpty() ? token : mark;
                yield new Granted(token, number(answer.get(2)) == 1, number);
            }
            case "busy" -> request.permits() == null ? busy : busy.of((int) number(answer.get(1)));
            case "over" -> new Over();
            default -> throw new IllegalStateException("a script answered '" + what + "'");
        };
    }

    private static Busy busy(List<Object> holder, long mark) {
        return holder.isEmpty()
                ? new Busy(null, mark)
                : new Busy(
                        holder(holder),
                        mark,
                        StoredTexts.lock(text(holder.get(0))).id());
    }

    static @Nullable LockHolder holder(List<Object> holder) {
        return holder.isEmpty()
                ? null
                : StoredTexts.lock(text(holder.get(0))).holder(number(holder.get(1)), number(holder.get(2)));
    }

    static Optional<String> server(List<Object> reply) {
        String version = text(reply.get(1));
        return version.isEmpty() ? Optional.empty() : Optional.of(text(reply.get(0)) + " " + version);
    }

    static long remaining(List<Object> reply) {
        return number(reply.get(0));
    }

    static Instant time(List<Object> reply) {
        long micros = Long.parseLong(text(reply.get(3)));
        return Instant.ofEpochSecond(Long.parseLong(text(reply.get(2))), 1_000 * micros);
    }

    static EndReply end(List<Object> reply, EndCommand command, boolean repeated) {
        EndReply.Role was = was(reply.get(0));
        if (reply.size() == 1) {
            return new EndReply(was, List.of(), false, repeated, List.of());
        }
        requireSize(reply, 5);
        List<Object> places = list(reply.get(1));
        List<LockName> missing = places.isEmpty()
                ? List.of()
                : places.stream()
                        .map(place -> command.names().get((int) number(place) - 1))
                        .toList();
        String token = text(reply.get(4));
        OptionalLong told = token.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(token));
        return new EndReply(was, missing, number(reply.get(2)) == 1, repeated, texts(reply.get(3)), told);
    }

    static ExchangeReply exchange(List<Object> reply, AcquireCommand.Request request, boolean repeated) {
        requireSize(reply, 7);
        EndReply.Role was = was(reply.get(0));
        boolean more = number(reply.get(1)) == 1;
        long mark = Long.parseLong(text(reply.get(2)));
        Answer answer = answer(list(reply.get(4)), request, busy(list(reply.get(3)), mark), mark);
        AcquireReply acquired = new AcquireReply(more, List.of(answer), repeated, number(reply.get(5)) == 1);
        return new ExchangeReply(new EndReply(was, List.of(), more, repeated, texts(reply.get(6))), acquired);
    }

    static DowngradeReply downgrade(List<Object> reply) {
        requireSize(reply, 3);
        String token = text(reply.get(0));
        return new DowngradeReply(
                token.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(token)),
                number(reply.get(1)) == 1,
                texts(reply.get(2)));
    }

    static ForceAcquireReply forceAcquire(List<Object> reply, AcquireCommand.Request request, boolean repeated) {
        requireSize(reply, 6);
        long mark = Long.parseLong(text(reply.get(3)));
        Answer answer = answer(reply, request, busy(list(reply.get(4)), mark), mark);
        List<LockHolder> taken = new ArrayList<>();
        for (Object one : list(reply.get(5))) {
            taken.add(Objects.requireNonNull(holder(list(one))));
        }
        return new ForceAcquireReply(answer, taken, repeated);
    }

    static int told(List<Object> reply) {
        requireSize(reply, 1);
        return (int) number(reply.get(0));
    }

    static AwaitReply await(List<Object> reply, boolean repeated) {
        requireSize(reply, 5);
        String what = text(reply.get(0));
        boolean awaits = switch (what) {
            case "awaits" -> true;
            case "nothing" -> false;
            default -> throw new IllegalStateException("a script answered '" + what + "'");
        };
        return new AwaitReply(
                awaits,
                number(reply.get(1)) == 1,
                Long.parseLong(text(reply.get(2))),
                repeated,
                number(reply.get(3)) == 1,
                texts(reply.get(4)));
    }

    static SignalReply signal(List<Object> reply) {
        requireSize(reply, 2);
        String what = text(reply.get(0));
        return switch (what) {
            case "signalled" -> new SignalReply(true, (int) number(reply.get(1)));
            case "nothing" -> new SignalReply(false, 0);
            default -> throw new IllegalStateException("a script answered '" + what + "'");
        };
    }

    private static EndReply.Role was(Object what) {
        String said = text(what);
        return switch (said) {
            case "holder" -> EndReply.Role.HOLDER;
            case "waiter" -> EndReply.Role.WAITER;
            case "nothing" -> EndReply.Role.NOTHING;
            default -> throw new IllegalStateException("a script answered '" + said + "'");
        };
    }

    static List<List<LockName>> renew(List<Object> reply, RenewCommand command, int locks) {
        requireSize(reply, locks);
        List<List<LockName>> missing = new ArrayList<>(command.renewals().size());
        int at = 0;
        for (RenewCommand.Renewal renewal : command.renewals()) {
            List<LockName> gone = new ArrayList<>(0);
            for (LockName name : renewal.names()) {
                if (number(reply.get(at++)) != 1) {
                    gone.add(name);
                }
            }
            missing.add(gone);
        }
        return missing;
    }

    static ExtendReply extend(List<Object> reply) {
        requireSize(reply, 2);
        String what = text(reply.get(0));
        return switch (what) {
            case "extended" -> new ExtendReply(true, OptionalLong.of(Long.parseLong(text(reply.get(1)))));
            case "wanted" -> ExtendReply.WANTED;
            case "nothing" -> new ExtendReply(false, OptionalLong.empty());
            default -> throw new IllegalStateException("a script answered '" + what + "'");
        };
    }

    private static void requireSize(List<Object> answer, int size) {
        if (answer.size() != size) {
            throw new IllegalStateException(answer.size() + " parts instead of " + size);
        }
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private static List<String> texts(Object value) {
        List<Object> all = list(value);
        return all.size() == 1
                ? List.of(text(all.get(0)))
                : all.stream().map(RedisReplies::text).toList();
    }

    static long number(Object value) {
        return (Long) value;
    }

    static String text(Object value) {
        if (value instanceof List) {
            throw new IllegalStateException("a list instead of a text");
        }
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
    }
}
