package dev.baton.lock.redis.script;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.RecentKeys;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.store.WaitingCaller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries out each operation as one script. The headers of the scripts describe their keys and arguments. */
public final class ScriptCommands implements LockCommands {

    private static final String SCANNED_TOGETHER = "1000";

    /** Tells scripts to trust Redis's own count of receivers, which is right without a cluster. */
    private static final String RECEIVERS = "1";

    private static final String ALL_ACQUIRES_ANSWERED = "0";

    /** The usual end: receivers, no mark, and no time for which the locks are kept. */
    private static final String USUAL_END = RECEIVERS + " 0 0";

    private final RedisKeys keys;
    private final RecentKeys recent;
    private final String fence;
    private final String channel;
    private final ScriptTransport transport;
    private final StoreTraits traits;
    /** The text that describes this process, for the recheck interval of the last acquire. */
    private volatile @Nullable Described process;

    /**
     * Creates the commands.
     *
     * @param channel the inbox of the process
     * @param traits what the store can do by script
     */
    public ScriptCommands(RedisKeys keys, String channel, ScriptTransport transport, StoreTraits traits) {
        this.keys = keys;
        this.recent = new RecentKeys(keys);
        this.fence = keys.fence();
        this.channel = channel;
        this.transport = transport;
        this.traits = traits;
    }

    @Override
    public LockHandler handler() {
        return LockHandler.SCRIPT;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    /** Returns the order of the transport. One connection keeps the order until it breaks; a pool keeps none. */
    @Override
    public long order() {
        return transport.order();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        List<AcquireCommand.Request> requests = command.requests();
        if (command.names().size() > 1 && requests.size() > 1) {
            throw new IllegalArgumentException(requests.size() + " requests ask for "
                    + command.names().size() + " locks in one command; only one may ask for several");
        }
        RecentKeys.Keys known = recent.of(command.names().get(0));
        List<String> names = with(known, 3 + requests.size() + command.names().size());
        List<String> args = new ArrayList<>(1 + requests.size());
        args.add(process(command));
        List<String> locks = locks(known, command.names());
        for (AcquireCommand.Request request : requests) {
            names.add(known.over() + request.id());
            args.add(kind(request) + StoredTexts.waiter(request, locks));
        }
        names.addAll(locks.subList(1, locks.size()));
        long epoch = transport.epoch();
        return send(
                LuaScript.ACQUIRE,
                names,
                args,
                command.timeoutNanos(),
                command.caller(),
                reply -> RedisReplies.acquire(reply, command, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        RecentKeys.Keys known = recent.of(command.names().get(0));
        List<String> names = with(known, 4 + command.names().size());
        names.add(known.over() + command.id());
        List<String> locks = locks(known, command.names());
        names.addAll(locks.subList(1, locks.size()));
        String how = command.markMillis() == 0 && command.keepMillis() == 0
                ? USUAL_END
                : RECEIVERS + " " + command.markMillis() + " " + command.keepMillis();
        List<String> args = List.of(command.id(), how, waiter(command, locks));
        long epoch = transport.epoch();
        return send(
                LuaScript.RELEASE,
                names,
                args,
                command.timeoutNanos(),
                command.caller(),
                reply -> RedisReplies.end(reply, command, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        EndCommand end = command.end();
        AcquireCommand acquire = command.acquire();
        AcquireCommand.Request request = acquire.requests().get(0);
        RecentKeys.Keys known = recent.of(end.names().get(0));
        List<String> names = with(known, 6);
        names.add(known.over() + end.id());
        names.add(known.over() + request.id());
        List<String> locks = List.of(known.lock());
        List<String> args = List.of(
                end.id(),
                end.markMillis() == 0 ? ALL_ACQUIRES_ANSWERED : Long.toString(end.markMillis()),
                waiter(end, locks),
                process(acquire),
                kind(request) + StoredTexts.waiter(request, locks));
        long epoch = transport.epoch();
        return send(
                LuaScript.EXCHANGE,
                names,
                args,
                Math.min(end.timeoutNanos(), acquire.timeoutNanos()),
                end.caller(),
                reply -> RedisReplies.exchange(reply, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        List<String> names = new ArrayList<>(command.renewals().size());
        List<String> args = new ArrayList<>(3 * command.renewals().size());
        for (RenewCommand.Renewal renewal : command.renewals()) {
            renewal.names().forEach(name -> names.add(keys.lock(name)));
            args.add(renewal.id());
            args.add(Integer.toString(renewal.names().size()));
            args.add(Long.toString(renewal.leaseMillis()));
        }
        return send(
                LuaScript.RENEW,
                names,
                args,
                command.timeoutNanos(),
                reply -> RedisReplies.renew(reply, command, names.size()));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        RecentKeys.Keys known = recent.of(command.name());
        List<String> args =
                List.of(command.id(), Long.toString(command.leaseMillis()), Integer.toString(command.reserve()));
        return send(
                LuaScript.EXTEND,
                List.of(known.lock(), known.queue(), fence),
                args,
                command.timeoutNanos(),
                RedisReplies::extend);
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        List<String> names = List.of(keys.lock(name), keys.queue(name));
        return transport
                .send(LuaScript.INSPECT, names, List.of(Integer.toString(waiters)), timeoutNanos)
                .thenApply(reply -> InspectionReplies.inspect(reply, name));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        List<String> args =
                List.of(command.cursor(), keys.locks(command.namespace(), command.pattern()), SCANNED_TOGETHER);
        return transport
                .send(LuaScript.SCAN, List.of(), args, command.timeoutNanos())
                .thenApply(reply -> InspectionReplies.scan(reply, keys, command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return transport
                .send(
                        LuaScript.FORCE_RELEASE,
                        with(recent.of(name), 4),
                        List.of(RECEIVERS, keys.inboxes()),
                        timeoutNanos)
                .thenApply(reply -> InspectionReplies.forceRelease(reply, name));
    }

    /** Returns the name and version of the server, or empty if the server does not report them. */
    public CompletableFuture<Optional<String>> server(long timeoutNanos) {
        return transport
                .send(LuaScript.SERVER, List.of(), List.of(), timeoutNanos)
                .thenApply(RedisReplies::server);
    }

    /**
     * Sends a script and reads the answer. An answer of an unexpected form counts as no answer. Lettuce repeats a
     * command whose connection broke in the middle of the answer. Lettuce then appends the second answer to the
     * beginning of the first.
     */
    private <T> CompletableFuture<T> send(
            LuaScript script,
            List<String> names,
            List<String> args,
            long timeoutNanos,
            Function<List<Object>, T> read) {
        return send(script, names, args, timeoutNanos, null, read);
    }

    private <T> CompletableFuture<T> send(
            LuaScript script,
            List<String> names,
            List<String> args,
            long timeoutNanos,
            @Nullable WaitingCaller caller,
            Function<List<Object>, T> read) {
        return transport.send(script, names, args, timeoutNanos, caller).thenApply(reply -> {
            try {
                return read.apply(reply);
            } catch (RuntimeException ex) {
                throw new StoreException(
                        "the reply of Redis to " + script.name()
                                + ".lua could not be read: the connection broke in the"
                                + " middle of it, or something in between changes replies",
                        true,
                        ex);
            }
        });
    }

    @Override
    public CompletableFuture<Instant> time(long timeoutNanos) {
        return send(LuaScript.SERVER, List.of(), List.of(), timeoutNanos, RedisReplies::time);
    }

    @Override
    public void close() {
        // the transport belongs to the session
    }

    /** Describes the process to a script that may have to queue its requests. */
    private String process(AcquireCommand command) {
        long millis = command.recheck().toMillis();
        Described last = process;
        if (last == null || last.recheckMillis != millis) {
            last = new Described(millis, RECEIVERS + " " + millis + " " + channel);
            process = last;
        }
        return last.text;
    }

    private static char kind(AcquireCommand.Request request) {
        return switch (request.kind()) {
            case TRY -> 't';
            case MESSAGE -> 'm';
            case POLL -> 'p';
        };
    }

    private static String waiter(EndCommand command, List<String> locks) {
        AcquireCommand.Request waiter = command.waiter();
        return waiter == null || waiter.kind() == AcquireCommand.Kind.TRY ? "" : StoredTexts.waiter(waiter, locks);
    }

    private List<String> locks(RecentKeys.Keys known, List<LockName> names) {
        return names.size() == 1
                ? List.of(known.lock())
                : names.stream().map(keys::lock).toList();
    }

    private List<String> with(RecentKeys.Keys known, int size) {
        List<String> names = new ArrayList<>(size);
        names.add(known.lock());
        names.add(known.queue());
        names.add(known.waiting());
        names.add(fence);
        return names;
    }

    /** The text of this process for one recheck interval. */
    private record Described(long recheckMillis, String text) {}
}
