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
 * The locks of this process, one lock by its name, and page by page those of all processes; and a way to take a lock away from its
 * holder, which {@code management.endpoint.locks.access=unrestricted} permits. Thread-safe; each call waits for Redis at most a
 * few command time-outs.
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
@SuppressWarnings({"deprecation", "removal"}) // Spring Boot 3.5 knows an optional parameter by that annotation only
public final class LocksEndpoint {

    /** Of more locks than these Redis is not asked in one call. */
    private static final int MOST_ASKED = 256;

    private final LockTemplate template;
    private final CurrentLocks current;
    private final ForceReleaseAudit audit;
    private final Show show;
    private final Set<String> roles;

    /**
     * Creates it.
     *
     * @param current a listener of the template
     * @param audit told of each force-release
     * @param show to whom whole names are shown; others see the scope only
     * @param roles who is authorized, for {@link Show#WHEN_AUTHORIZED}; empty: everybody who is authenticated
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
     * Without a cursor what this process holds and waits for, with one a page of what all processes hold. If the store cannot be asked,
     * the former is what this process knows by itself, and says why; the latter fails.
     *
     * @param scope only locks of this scope; null: all
     * @param cursor {@code 0}, or what the page before says; null: this process
     * @throws LockStoreException if there is a cursor and the store could not be asked
     */
    @ReadOperation
    public OperationResponseBody locks(
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String cursor) {
        return locks(scope, cursor, SecurityContext.NONE);
    }

    /**
     * One lock, as Redis knows it.
     *
     * @param name {@code scope.key}
     * @param namespace a nested namespace; null: none
     * @throws LockStoreException if the store could not be asked
     */
    @ReadOperation
    public LockReports.Lock lock(@Selector String name, @org.springframework.lang.Nullable @Nullable String namespace) {
        return LockReports.lock(administration().inspect(name, namespace), NameView.SHOWN);
    }

    /**
     * Takes a lock away from its holder.
     *
     * @param name {@code scope.key}
     * @param namespace a nested namespace; null: none
     * @throws LockStoreException if the store could not be asked
     */
    @DeleteOperation
    public LockReports.Released forceRelease(
            @Selector String name, @org.springframework.lang.Nullable @Nullable String namespace) {
        return forceRelease(name, namespace, SecurityContext.NONE);
    }

    OperationResponseBody locks(@Nullable String scope, @Nullable String cursor, SecurityContext security) {
        NameView names = NameView.of(show.isShown(security, roles));
        return cursor == null ? instance(scope, names) : fleet(scope, cursor, names);
    }

    LockReports.Released forceRelease(String name, @Nullable String namespace, SecurityContext security) {
        LockState before = administration().inspect(name, namespace);
        boolean released = administration().forceRelease(name, namespace);
        audit.released(
                security.getPrincipal() == null ? null : security.getPrincipal().getName(), before, released);
        return new LockReports.Released(
                name, released, before.holder().map(LockReports::holder).orElse(null));
    }

    private LockReports.Instance instance(@Nullable String scope, NameView names) {
        List<CurrentLocks.Current> held = of(scope, current.held());
        List<CurrentLocks.Current> waiting = of(scope, current.waiting());
        Map<String, LockState> states;
        try {
            states = seen(held, waiting);
        } catch (LockStoreException ex) {
            // taken anew: waiting for the store may have lasted longer than they did
            return LockReports.withoutStore(
                    StoreProblem.of(ex), of(scope, current.held()), of(scope, current.waiting()), names);
        }
        return new LockReports.Instance(
                held.stream()
                        .map(lease -> LockReports.held(lease, states(lease, states), names))
                        .toList(),
                waiting.stream()
                        .map(request -> LockReports.waiting(request, states(request, states), names))
                        .toList(),
                deadlocks(states.values(), names),
                null);
    }

    private Map<String, LockState> seen(List<CurrentLocks.Current> held, List<CurrentLocks.Current> waiting) {
        List<LockListener.Request> requests = Stream.concat(waiting.stream(), held.stream())
                .map(CurrentLocks.Current::request)
                .limit(MOST_ASKED)
                .toList();
        Map<String, LockState> states = new LinkedHashMap<>();
        administration().inspectAll(requests).forEach(state -> states.put(id(state.namespace(), state.name()), state));
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

    private static List<LockState> states(CurrentLocks.Current one, Map<String, LockState> states) {
        List<LockState> own = new ArrayList<>();
        for (String name : one.request().names()) {
            LockState state = states.get(id(one.request().namespace(), name));
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

    private static String id(String namespace, String name) {
        return namespace + ":" + name;
    }

    private static String quoted(String scope) {
        return scope.replaceAll("([\\\\*?])", "\\\\$1");
    }

    private LockAdministration administration() {
        return template.administration();
    }
}
