package dev.baton.lock.redis.script;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.KeyPlacement;
import dev.baton.lock.redis.key.RecentKeys;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoredTexts;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.store.WaitingCaller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

    /** The number of names that come before the marks: three of the lock, and the fence. */
    private static final int BEFORE_MARKS = 4;

    private static final byte[][] NO_NAMES = {};

    private static final byte[] ALL_ACQUIRES_ANSWERED = bytes("0");

    /** The usual end: no mark, and no time for which the locks are kept. */
    private static final byte[] USUAL_END = bytes("0 0");

    /** Stands for the record of a request that cannot be in a queue. */
    private static final byte[] NO_RECORD = {};

    private final RedisKeys keys;
    private final RecentKeys recent;
    private final String channel;
    private final ScriptTransport transport;
    private final StoreTraits traits;
    /** The text that describes this process, for the recheck interval of the last acquire. */
    private volatile @Nullable Described process;

    /**
     * Creates the commands.
     *
     * @param placement where the keys of a lock are
     * @param channel the inbox of the process
     * @param traits what the store can do by script
     */
    public ScriptCommands(
            RedisKeys keys, KeyPlacement placement, String channel, ScriptTransport transport, StoreTraits traits) {
        this.keys = keys;
        this.recent = new RecentKeys(keys, placement);
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
        RecentKeys.Keys known = recent.of(command.names().get(0));
        List<String> locks = severalLocks(command.names());
        byte[][] names = names(known, requests.size(), locks);
        byte[][] args = new byte[1 + requests.size()][];
        args[0] = process(command.recheck());
        for (int i = 0; i < requests.size(); i++) {
            AcquireCommand.Request request = requests.get(i);
            names[BEFORE_MARKS + i] = known.over(bytes(request.id()));
            args[1 + i] = bytes(StoredTexts.waiter(kind(request), request, command.names(), locks));
        }
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
        List<String> locks = severalLocks(command.names());
        byte[] id = bytes(command.id());
        byte[][] names = names(known, 1, locks);
        names[BEFORE_MARKS] = known.over(id);
        AcquireCommand.Request waiter = command.waiter();
        boolean passesOn = waiter != null && !waiter.condition().isEmpty();
        byte[] how = command.markMillis() == 0 && command.keepMillis() == 0 && !passesOn
                ? USUAL_END
                : bytes(command.markMillis() + " " + command.keepMillis() + (passesOn ? " c" : ""));
        byte[][] args = {id, how, waiter(command, locks)};
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
        byte[] id = bytes(end.id());
        byte[][] names = names(known, 2, List.of());
        names[BEFORE_MARKS] = known.over(id);
        names[BEFORE_MARKS + 1] = known.over(bytes(request.id()));
        byte[][] args = {
            id,
            end.markMillis() == 0 ? ALL_ACQUIRES_ANSWERED : bytes(Long.toString(end.markMillis())),
            waiter(end, List.of()),
            process(acquire.recheck()),
            bytes(StoredTexts.waiter(kind(request), request, acquire.names(), List.of()))
        };
        long epoch = transport.epoch();
        return send(
                LuaScript.EXCHANGE,
                names,
                args,
                Math.min(end.timeoutNanos(), acquire.timeoutNanos()),
                end.caller(),
                reply -> RedisReplies.exchange(reply, acquire.requests().get(0), epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        RecentKeys.Keys known = recent.of(command.name());
        byte[] id = bytes(command.id());
        byte[][] names = names(known, 2, List.of());
        names[BEFORE_MARKS] = known.over(id);
        names[BEFORE_MARKS + 1] = known.over(bytes(command.reader().id()));
        byte[][] args = {
            id,
            bytes(Long.toString(command.markMillis())),
            bytes(StoredTexts.waiter("", command.reader(), List.of(command.name()), List.of()))
        };
        return send(
                LuaScript.DOWNGRADE, names, args, command.timeoutNanos(), command.caller(), RedisReplies::downgrade);
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        AcquireCommand acquire = command.acquire();
        AcquireCommand.Request request = command.request();
        RecentKeys.Keys known = recent.of(acquire.names().get(0));
        List<String> locks = severalLocks(acquire.names());
        byte[][] names = names(known, 1, locks);
        names[BEFORE_MARKS] = known.over(bytes(request.id()));
        List<String> args = List.of(
                StoredTexts.waiter("", request, acquire.names(), locks),
                keys.inboxes(),
                Long.toString(command.expected()));
        long epoch = transport.epoch();
        return send(
                LuaScript.FORCE_ACQUIRE,
                names,
                bytes(args),
                acquire.timeoutNanos(),
                acquire.caller(),
                reply -> RedisReplies.forceAcquire(reply, request, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        RecentKeys.Keys known = recent.of(command.name());
        byte[] id = bytes(command.id());
        byte[][] names = names(known, 2, List.of());
        names[BEFORE_MARKS] = known.over(id);
        names[BEFORE_MARKS + 1] = known.over(bytes(command.waiter().id()));
        byte[][] args = {
            id,
            bytes(Long.toString(command.markMillis())),
            process(command.recheck()),
            bytes(StoredTexts.waiter(
                    kind(command.waiter().at("", false)), command.waiter(), List.of(command.name()), List.of()))
        };
        long epoch = transport.epoch();
        return send(
                LuaScript.AWAIT,
                names,
                args,
                command.timeoutNanos(),
                command.caller(),
                reply -> RedisReplies.await(reply, epoch != transport.epoch()));
    }

    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        List<String> args = List.of(
                command.id(),
                command.condition(),
                Integer.toString(command.most()),
                StoredTexts.escape(command.owner()));
        return send(
                LuaScript.SIGNAL,
                names(recent.of(command.name()), 0, List.of()),
                bytes(args),
                command.timeoutNanos(),
                null,
                RedisReplies::signal);
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return transport.send(renewal(command), command.timeoutNanos(), null);
    }

    /** Returns the script that carries out a renewal. */
    public ScriptCall<List<List<LockName>>> renewal(RenewCommand command) {
        List<String> names = new ArrayList<>(command.renewals().size());
        List<String> args = new ArrayList<>(3 * command.renewals().size());
        for (RenewCommand.Renewal renewal : command.renewals()) {
            renewal.names().forEach(name -> names.add(keys.lock(name)));
            args.add(renewal.id());
            args.add(Integer.toString(renewal.names().size()));
            args.add(Long.toString(renewal.leaseMillis()));
        }
        return new ScriptCall<>(
                LuaScript.RENEW, bytes(names), bytes(args), reply -> RedisReplies.renew(reply, command, names.size()));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        RecentKeys.Keys known = recent.of(command.name());
        List<String> args =
                List.of(command.id(), Long.toString(command.leaseMillis()), Integer.toString(command.reserve()));
        return send(
                LuaScript.EXTEND,
                new byte[][] {known.lock(), known.queue(), known.fence()},
                bytes(args),
                command.timeoutNanos(),
                null,
                RedisReplies::extend);
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        List<String> names = List.of(keys.lock(name), keys.queue(name));
        return ask(LuaScript.INSPECT, bytes(names), List.of(Integer.toString(waiters)), timeoutNanos)
                .thenApply(reply -> InspectionReplies.inspect(reply, name));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        List<String> args =
                List.of(command.cursor(), keys.locks(command.namespace(), command.pattern()), SCANNED_TOGETHER);
        return ask(LuaScript.SCAN, NO_NAMES, args, command.timeoutNanos())
                .thenApply(reply -> InspectionReplies.scan(reply, keys, command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        byte[][] names = names(recent.of(name), 0, List.of());
        return ask(LuaScript.FORCE_RELEASE, names, List.of(keys.inboxes()), timeoutNanos)
                .thenApply(reply -> InspectionReplies.forceRelease(reply, name));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        byte[][] names = {recent.of(name).lock()};
        return ask(LuaScript.TELL_HOLDERS, names, List.of(keys.inboxes()), timeoutNanos)
                .thenApply(RedisReplies::told);
    }

    @Override
    public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
        byte[][] names = names(recent.of(name), 0, List.of());
        List<String> args = List.of(Integer.toString(size), Long.toString(millis));
        return ask(LuaScript.RESIZE, names, args, timeoutNanos).thenApply(InspectionReplies::resize);
    }

    /** Returns the name and version of the server, or empty if the server does not report them. */
    public CompletableFuture<Optional<String>> server(long timeoutNanos) {
        return ask(LuaScript.SERVER, NO_NAMES, List.of(), timeoutNanos).thenApply(RedisReplies::server);
    }

    /**
     * Returns the script that asks a primary for how many milliseconds its grants do not count yet.
     *
     * @param key the key of the identity of the primary
     * @param pause how long grants do not count after a change of the primary
     */
    public static ScriptCall<Long> primary(String key, Duration pause) {
        return new ScriptCall<>(
                LuaScript.PRIMARY,
                bytes(List.of(key)),
                bytes(List.of(Long.toString(pause.toMillis()))),
                RedisReplies::remaining);
    }

    /** Sends a script, and leaves the reply as it is. */
    private CompletableFuture<List<Object>> ask(
            LuaScript script, byte[][] names, List<String> args, long timeoutNanos) {
        return send(script, names, bytes(args), timeoutNanos, null, Function.identity());
    }

    private <T> CompletableFuture<T> send(
            LuaScript script,
            byte[][] names,
            byte[][] args,
            long timeoutNanos,
            @Nullable WaitingCaller caller,
            Function<List<Object>, T> reader) {
        return transport.send(new ScriptCall<>(script, names, args, reader), timeoutNanos, caller);
    }

    @Override
    public CompletableFuture<Instant> time(long timeoutNanos) {
        return send(LuaScript.SERVER, NO_NAMES, NO_NAMES, timeoutNanos, null, RedisReplies::time);
    }

    @Override
    public void close() {
        // the transport belongs to the session
    }

    /** Describes the process to a script that may have to queue its requests. */
    private byte[] process(Duration recheck) {
        long millis = recheck.toMillis();
        Described last = process;
        if (last == null || last.recheckMillis != millis) {
            last = new Described(millis, bytes(millis + " " + channel));
            process = last;
        }
        return last.text;
    }

    private static String kind(AcquireCommand.Request request) {
        return switch (request.kind()) {
            case TRY -> "t";
            case MESSAGE -> request.awaits() ? "c" : "m";
            case POLL -> request.awaits() ? "d" : "p";
        };
    }

    private static byte[] waiter(EndCommand command, List<String> locks) {
        AcquireCommand.Request waiter = command.waiter();
        return waiter == null || waiter.kind() == AcquireCommand.Kind.TRY
                ? NO_RECORD
                : bytes(StoredTexts.waiter("", waiter, command.names(), locks));
    }

    /** Returns the lock keys of a request for several locks, or none for one lock. */
    private List<String> severalLocks(List<LockName> names) {
        return names.size() == 1 ? List.of() : names.stream().map(keys::lock).toList();
    }

    /**
     * Returns the keys of a script that may grant a lock. The caller fills in the marks, which come after {@link
     * #BEFORE_MARKS} others. The other locks of a request for several come last.
     */
    private byte[][] names(RecentKeys.Keys known, int marks, List<String> locks) {
        byte[][] names = new byte[BEFORE_MARKS + marks + Math.max(0, locks.size() - 1)][];
        names[0] = known.lock();
        names[1] = known.queue();
        names[2] = known.waiting();
        names[3] = known.fence();
        for (int i = 1; i < locks.size(); i++) {
            names[BEFORE_MARKS + marks + i - 1] = bytes(locks.get(i));
        }
        return names;
    }

    private static byte[][] bytes(List<String> texts) {
        return texts.stream().map(ScriptCommands::bytes).toArray(byte[][]::new);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What describes this process to scripts, for one recheck interval. */
    @SuppressWarnings("ArrayRecordComponent") // sent as it is; never compared
    private record Described(long recheckMillis, byte[] text) {}
}
