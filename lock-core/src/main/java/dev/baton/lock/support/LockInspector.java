package dev.baton.lock.support;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockPage;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.NamePattern;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.KeptInterrupt;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Inspects and force-releases locks: asks the store and waits for each answer, at most one command time-out. */
final class LockInspector {

    private static final Logger log = LoggerFactory.getLogger(LockInspector.class);

    private final LockStore store;
    private final EngineSettings settings;
    private final Supplier<@Nullable LockEngine> engine;

    /**
     * Creates the inspector.
     *
     * @param engine supplies the running engine, which knows more of its own process than the store does, or
     *     {@code null} while none runs
     */
    LockInspector(LockStore store, EngineSettings settings, Supplier<@Nullable LockEngine> engine) {
        this.store = store;
        this.settings = settings;
        this.engine = engine;
    }

    /**
     * Returns {@link dev.baton.lock.store.LockStoreAdministration#capabilities}; waits for the answer, at most one
     * command time-out.
     */
    LockCapabilities capabilities() {
        return store.administration()
                .capabilities(settings.commandTimeoutNanos())
                .join();
    }

    /** Describes the store without asking the server. */
    LockAdministration.StoreDescription describeStore() {
        return new LockAdministration.StoreDescription(
                store.describe(), store.namespace(), store.administration().knownCapabilities());
    }

    /** Returns {@link dev.baton.lock.store.LockStoreAdministration#time}; waits for the answer. */
    Optional<Instant> time() {
        return answer(store.administration().time(settings.commandTimeoutNanos()), "(none)");
    }

    LockState inspect(LockRequest request) {
        List<LockName> names = names(request);
        if (names.size() != 1) {
            throw new IllegalArgumentException("inspect reads one lock, but the request names " + names.size() + " ("
                    + request.title() + "); inspect each of them, or use isLocked for all of them together");
        }
        return answer(state(names.get(0), LockState.MOST_WAITERS), request.name());
    }

    LockState inspect(LockName name) {
        return answer(state(name, LockState.MOST_WAITERS), name.name());
    }

    /** Inspects several locks. Sends all questions before waiting for the first answer. */
    List<LockState> inspect(Collection<LockName> names) {
        List<CompletableFuture<LockState>> states =
                names.stream().map(name -> state(name, LockState.MOST_WAITERS)).toList();
        return states.stream().map(state -> answer(state, "of several")).toList();
    }

    LockPage page(String pattern, @Nullable String namespace, String cursor) {
        String nested = namespace == null ? "" : LockNames.checkNestedNamespace(namespace);
        ScanPage page = scan(nested, new NamePattern(pattern), cursor);
        List<LockName> locks = page.names().stream().distinct().toList();
        List<LockState> held =
                inspect(locks).stream().filter(LockState::isLocked).toList();
        return new LockPage(held, page.isLast() ? Optional.empty() : Optional.of(page.cursor()));
    }

    boolean isLocked(LockRequest request) {
        List<CompletableFuture<LockState>> states =
                names(request).stream().map(name -> state(name, 0)).toList();
        boolean locked = false;
        for (CompletableFuture<LockState> state : states) {
            locked |= answer(state, request.name()).isLocked();
        }
        return locked;
    }

    Stream<LockState> list(String pattern, @Nullable String namespace) {
        String nested = namespace == null ? "" : LockNames.checkNestedNamespace(namespace);
        return new LockListing(this, nested, new NamePattern(pattern)).stream();
    }

    boolean forceRelease(LockRequest request) {
        boolean held = false;
        for (LockName name : names(request)) {
            held |= forceRelease(name);
        }
        return held;
    }

    boolean forceRelease(LockName name) {
        LockHolder known = answer(
                        store.administration().forceRelease(name, settings.commandTimeoutNanos()), name.name())
                .holder();
        LockEngine running = engine.get();
        LockHolder holder = running == null ? known : running.holder(name, known);
        if (holder != null) {
            log.warn("Lock '{}' was force-released; it was held by {}", LockNames.printable(name.name()), holder);
        }
        return holder != null;
    }

    /** Sets the size of a semaphore. */
    LockState.Permits overrideSize(LockRequest request, int size, Duration duration) {
        if (request.permits() == null) {
            throw new IllegalArgumentException(
                    "lock '" + request.title() + "' has no size; name a semaphore by permits(size)");
        }
        if (size < 0 || duration.isNegative() || duration.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw new IllegalArgumentException("size " + size + " for " + duration
                    + " of semaphore '" + request.title()
                    + "' is out of range; use a size of at least 0, and a duration of"
                    + " at most ten years, or zero to end the override");
        }
        long millis = duration.toMillis() + (duration.toNanosPart() % 1_000_000 == 0 ? 0 : 1);
        LockState.Permits permits = answer(
                store.administration().resize(names(request).get(0), size, millis, settings.commandTimeoutNanos()),
                request.name());
        if (millis > 0) {
            log.warn(
                    "The size of semaphore '{}' is {} for {} ms, whatever its processes state; {} are in use",
                    request.title(),
                    size,
                    millis,
                    permits.used());
        } else {
            log.warn(
                    "The size of semaphore '{}' is what its processes state again; {} are in use",
                    request.title(),
                    permits.used());
        }
        return permits;
    }

    CompletableFuture<LockState> state(LockName name, int waiters) {
        return store.administration()
                .inspect(name, waiters, settings.commandTimeoutNanos())
                .thenApply(state -> {
                    LockEngine running = engine.get();
                    return running == null ? state : running.seen(name, state, waiters);
                });
    }

    ScanPage scan(String namespace, NamePattern pattern, String cursor) {
        ScanCommand command = new ScanCommand(namespace, pattern, cursor, settings.commandTimeoutNanos());
        return answer(store.administration().scan(command), pattern.text());
    }

    /** Waits for an answer. The answer, or a failure, comes within the command time-out. */
    <T> T answer(CompletableFuture<T> future, String title) {
        try {
            return future.get(2 * settings.commandTimeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ex) {
            KeptInterrupt.restore();
            throw notAsked(title, "the thread was interrupted", ex);
        } catch (ExecutionException ex) {
            Throwable cause = ex.getCause();
            throw notAsked(
                    title, cause instanceof StoreException ? cause.getMessage() : "the store failed: " + cause, cause);
        } catch (TimeoutException ex) {
            throw notAsked(title, store.describe() + " has not answered", ex);
        }
    }

    private static LockStoreException notAsked(String title, @Nullable String why, @Nullable Throwable cause) {
        return new LockStoreException(title, "Lock '" + title + "' could not be looked at: " + why, cause);
    }

    private static List<LockName> names(LockRequest request) {
        String namespace = request.namespace() == null ? "" : request.namespace();
        return request.names().stream()
                .distinct()
                .map(name -> new LockName(namespace, name, request.permits() != null))
                .toList();
    }
}
