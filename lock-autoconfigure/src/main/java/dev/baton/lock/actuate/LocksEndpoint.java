package dev.baton.lock.actuate;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockPage;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockAdministration;
import dev.baton.lock.support.LockTemplate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Reports the locks and semaphores of this process, one of them by its name, or those of all processes page by page.
 * Also force-releases one, which requires {@code management.endpoint.locks.access=unrestricted}. Thread-safe; each call
 * waits for Redis for at most a few command time-outs.
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
@SuppressWarnings({"deprecation", "removal"}) // Spring Boot 3.5 knows an optional parameter by that annotation only
public final class LocksEndpoint {

    /** Maximum number of requests about which one call asks Redis. */
    private static final int MOST_ASKED = 256;

    private final LockTemplate template;
    private final CurrentLocks current;
    private final ForceReleaseAudit audit;
    private final Show show;
    private final Set<String> roles;

    /**
     * Creates an endpoint.
     *
     * @param current the current locks, a listener of the template
     * @param audit records each force-release
     * @param show which users see complete names; other users see only the scope
     * @param roles the authorized roles, for {@link Show#WHEN_AUTHORIZED}; if empty, every authenticated user is
     *     authorized
     */
    public LocksEndpoint(
            LockTemplate template, CurrentLocks current, ForceReleaseAudit audit, Show show, Set<String> roles) {
        this.template = template;
        this.current = current;
        this.audit = audit;
        this.show = show;
        this.roles = Set.copyOf(roles);
    }

    /**
     * Returns the locks that this process holds and waits for or, with a cursor, a page of the locks that all processes
     * hold. If the store cannot be asked, the report of this process contains only what the process knows alone, and
     * the reason. A call with a cursor fails.
     *
     * @param scope the scope of the locks to return, or {@code null} for all scopes
     * @param cursor {@code 0}, or the cursor from the previous page, or {@code null} for this process
     * @throws LockStoreException if there is a cursor and the store could not be asked
     */
    @ReadOperation
    public OperationResponseBody locks(
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String cursor) {
        return locks(scope, cursor, SecurityContext.NONE);
    }

    /**
     * Returns the state of one lock or semaphore in Redis.
     *
     * @param name the name, {@code scope.key}
     * @param namespace the nested namespace, or {@code null} if there is none
     * @param semaphore {@code true} for the semaphore of that name; {@code false} or {@code null} for the lock
     * @throws LockStoreException if the store could not be asked
     */
    @ReadOperation
    public LockReports.Lock lock(
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String namespace,
            @org.springframework.lang.Nullable @Nullable Boolean semaphore) {
        return LockReports.lock(administration().inspect(name, namespace, isTrue(semaphore)), NameView.SHOWN);
    }

    /**
     * Force-releases a lock, or all permits of a semaphore.
     *
     * @param name the name, {@code scope.key}
     * @param namespace the nested namespace, or {@code null} if there is none
     * @param semaphore {@code true} for the semaphore of that name; {@code false} or {@code null} for the lock
     * @throws LockStoreException if the store could not be asked
     */
    @DeleteOperation
    public LockReports.Released forceRelease(
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String namespace,
            @org.springframework.lang.Nullable @Nullable Boolean semaphore) {
        return forceRelease(name, namespace, semaphore, SecurityContext.NONE);
    }

    OperationResponseBody locks(@Nullable String scope, @Nullable String cursor, SecurityContext security) {
        NameView names = NameView.of(show.isShown(security, roles));
        return cursor == null ? instance(scope, names) : fleet(scope, cursor, names);
    }

    LockReports.Released forceRelease(
            String name, @Nullable String namespace, @Nullable Boolean semaphore, SecurityContext security) {
        LockState before = administration().inspect(name, namespace, isTrue(semaphore));
        boolean released = administration().forceRelease(name, namespace, isTrue(semaphore));
        audit.released(
                security.getPrincipal() == null ? null : security.getPrincipal().getName(), before, released);
        return new LockReports.Released(
                name, released, before.holder().map(LockReports::holder).orElse(null));
    }

    private LockReports.Instance instance(@Nullable String scope, NameView names) {
        List<CurrentLocks.Current> held = of(scope, current.held());
        List<CurrentLocks.Current> waiting = of(scope, current.waiting());
        Map<Key, LockState> states;
        try {
            states = seen(held, waiting);
        } catch (LockStoreException ex) {
            // read again: these locks and requests may have ended while the call waited for the store
            return LockReports.withoutStore(
                    StoreProblem.of(ex),
                    of(scope, current.held()),
                    of(scope, current.waiting()),
                    atConditions(scope),
                    names);
        }
        return new LockReports.Instance(
                held.stream()
                        .map(lease -> LockReports.held(lease, states(lease, states), names))
                        .toList(),
                waiting.stream()
                        .map(request -> LockReports.waiting(request, states(request, states), names))
                        .toList(),
                LockReports.atConditions(atConditions(scope), names),
                deadlocks(states.values(), names),
                null);
    }

    private List<CurrentLocks.AtCondition> atConditions(@Nullable String scope) {
        return current.atConditions().stream()
                .filter(one -> scope == null || one.request().scope().equals(scope))
                .toList();
    }

    private Map<Key, LockState> seen(List<CurrentLocks.Current> held, List<CurrentLocks.Current> waiting) {
        List<LockListener.Request> requests = Stream.concat(waiting.stream(), held.stream())
                .map(CurrentLocks.Current::request)
                .limit(MOST_ASKED)
                .toList();
        Map<Key, LockState> states = new LinkedHashMap<>();
        administration()
                .inspectAll(requests)
                .forEach(state -> states.put(new Key(state.namespace(), state.name(), state.isSemaphore()), state));
        return states;
    }

    private LockReports.Fleet fleet(@Nullable String scope, String cursor, NameView names) {
        LockPage page = administration().page(scope == null ? "*" : quoted(scope) + ".*", null, cursor);
        return new LockReports.Fleet(
                page.locks().stream()
                        .map(state -> LockReports.lock(state, names))
                        .toList(),
                page.next().orElse(null),
                deadlocks(page.locks(), names));
    }

    private static List<LockReports.Deadlock> deadlocks(Collection<LockState> states, NameView names) {
        return WaitCycles.in(states).stream()
                .map(cycle -> LockReports.deadlock(cycle, names))
                .toList();
    }

    private static List<LockState> states(CurrentLocks.Current one, Map<Key, LockState> states) {
        LockListener.Request request = one.request();
        List<LockState> own = new ArrayList<>();
        for (String name : request.names()) {
            LockState state = states.get(new Key(request.namespace(), name, request.permits() != null));
            if (state != null) {
                own.add(state);
            }
        }
        return own;
    }

    private static List<CurrentLocks.Current> of(@Nullable String scope, List<CurrentLocks.Current> all) {
        return all.stream()
                .filter(one -> scope == null || one.request().scope().equals(scope))
                .toList();
    }

    /** Names a lock, or a semaphore. */
    private record Key(String namespace, String name, boolean semaphore) {}

    private static boolean isTrue(@Nullable Boolean value) {
        return value != null && value;
    }

    private static String quoted(String scope) {
        return scope.replaceAll("([\\\\*?])", "\\\\$1");
    }

    private LockAdministration administration() {
        return template.administration();
    }
}
