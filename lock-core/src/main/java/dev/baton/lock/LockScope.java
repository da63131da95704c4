package dev.baton.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds the common settings of all locks of one scope; each use adds only the key. Created by
 * {@link LockOperations#scope(String)}.
 *
 * <p>Immutable and thread-safe, so a scope may be kept in a constant: every method that sets something checks its
 * argument and returns another scope. Settings that are not set default to those of the operations.
 */
public final class LockScope {

    private final LockOperations operations;
    /** The request for the key {@link LockRequest#GLOBAL}. */
    private final LockRequest settings;

    private LockScope(LockOperations operations, LockRequest settings) {
        this.operations = operations;
        this.settings = settings;
    }

    /**
     * Creates a scope of the operations.
     *
     * @throws IllegalArgumentException if the scope is invalid
     */
    static LockScope of(LockOperations operations, String scope) {
        return new LockScope(operations, LockRequest.of(scope));
    }

    private LockScope with(LockRequest changed) {
        return new LockScope(operations, changed);
    }

    /** Returns the name of the scope: the kind of thing that is locked. */
    public String name() {
        return settings.targets().get(0).scope();
    }

    /** Sets the namespace as {@link LockRequest#namespace(String)} does. */
    public LockScope namespace(@Nullable String namespace) {
        return with(settings.namespace(namespace));
    }

    /** Sets the length of the lease as {@link LockRequest#expire(Duration)} does. */
    public LockScope expire(@Nullable Duration expire) {
        return with(settings.expire(expire));
    }

    /** Sets the maximum wait time as {@link LockRequest#waitTime(Duration)} does. */
    public LockScope waitTime(Duration waitTime) {
        return with(settings.waitTime(waitTime));
    }

    /** Sets the bound on waiting as {@link LockRequest#waitTime(WaitTime)} does. */
    public LockScope waitTime(@Nullable WaitTime waitTime) {
        return with(settings.waitTime(waitTime));
    }

    /** Removes the bound on waiting as {@link LockRequest#waitUnbounded()} does. */
    public LockScope waitUnbounded() {
        return with(settings.waitUnbounded());
    }

    /** Sets the stall time as {@link LockRequest#stallTime(Duration)} does. */
    public LockScope stallTime(@Nullable Duration stallTime) {
        return with(settings.stallTime(stallTime));
    }

    /** Sets the reaction to a stuck holder as {@link LockRequest#onStuck(OnStuck)} does. */
    public LockScope onStuck(@Nullable OnStuck onStuck) {
        return with(settings.onStuck(onStuck));
    }

    /** Sets the recheck interval as {@link LockRequest#recheck(Duration)} does. */
    public LockScope recheck(@Nullable Duration recheck) {
        return with(settings.recheck(recheck));
    }

    /** Sets the wait strategy as {@link LockRequest#waitStrategy(WaitStrategy)} does. */
    public LockScope waitStrategy(@Nullable WaitStrategy waitStrategy) {
        return with(settings.waitStrategy(waitStrategy));
    }

    /** Sets the polling interval as {@link LockRequest#pollingInterval(Duration)} does. */
    public LockScope pollingInterval(@Nullable Duration pollingInterval) {
        return with(settings.pollingInterval(pollingInterval));
    }

    /** Sets the renewal as {@link LockRequest#renew(Renewal)} does. */
    public LockScope renew(Renewal renew) {
        return with(settings.renew(renew));
    }

    /** Sets the minimum hold time as {@link LockRequest#holdAtLeast(Duration)} does. */
    public LockScope holdAtLeast(@Nullable Duration holdAtLeast) {
        return with(settings.holdAtLeast(holdAtLeast));
    }

    /** Sets the owner as {@link LockRequest#owner(String)} does. */
    public LockScope owner(@Nullable String owner) {
        return with(settings.owner(owner));
    }

    /** Sets the re-entrance as {@link LockRequest#reentrant(boolean)} does. */
    public LockScope reentrant(boolean reentrant) {
        return with(settings.reentrant(reentrant));
    }

    /** Sets the handling of interrupts as {@link LockRequest#interruptible(boolean)} does. */
    public LockScope interruptible(boolean interruptible) {
        return with(settings.interruptible(interruptible));
    }

    /** Sets the reaction to a lost lease as {@link LockRequest#onLost(OnLost)} does. */
    public LockScope onLost(@Nullable OnLost onLost) {
        return with(settings.onLost(onLost));
    }

    /**
     * Returns the request for one lock of this scope, for methods that accept a request.
     *
     * @param parts the key parts, as {@link LockKeyPart} accepts them; {@link LockRequest#GLOBAL} if there are none
     * @throws IllegalArgumentException if a part is invalid
     */
    public LockRequest request(@Nullable Object @Nullable ... parts) {
        return settings.targets(List.of(LockTarget.of(name(), parts)));
    }

    /**
     * Returns the request for several locks of this scope, one per key, granted all or none.
     *
     * @throws IllegalArgumentException as {@link LockRequest#ofAll(String, Collection)} does
     */
    public LockRequest requestAll(Collection<?> keys) {
        return settings.targets(LockRequest.ofAll(name(), keys).targets());
    }

    /** Runs work as {@link LockOperations#execute(LockRequest, LockCallback)} does, for this key. */
    public <T extends @Nullable Object, E extends Exception> T execute(Object key, LockCallback<T, E> action) throws E {
        return operations.execute(request(key), action);
    }

    /** Runs work as {@link LockOperations#execute(LockRequest, LockCallback)} does, for {@link LockRequest#GLOBAL}. */
    public <T extends @Nullable Object, E extends Exception> T execute(LockCallback<T, E> action) throws E {
        return operations.execute(settings, action);
    }

    /** Runs work as {@link LockOperations#executeWithoutResult(LockRequest, LockRunnable)} does, for this key. */
    public <E extends Exception> void executeWithoutResult(Object key, LockRunnable<E> action) throws E {
        operations.executeWithoutResult(request(key), action);
    }

    /**
     * Runs work as {@link LockOperations#executeWithoutResult(LockRequest, LockRunnable)} does, for
     * {@link LockRequest#GLOBAL}.
     */
    public <E extends Exception> void executeWithoutResult(LockRunnable<E> action) throws E {
        operations.executeWithoutResult(settings, action);
    }

    /** Runs work as {@link LockOperations#tryExecute(LockRequest, LockCallback)} does, for this key. */
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            Object key, LockCallback<T, E> action) throws E {
        return operations.tryExecute(request(key), action);
    }

    /** Acquires the lock as {@link LockOperations#acquire(LockRequest)} does, for this key. */
    public Lease acquire(Object key) {
        return operations.acquire(request(key));
    }

    /** Tries to acquire the lock as {@link LockOperations#tryAcquire(LockRequest)} does, for this key. */
    public Optional<Lease> tryAcquire(Object key) {
        return operations.tryAcquire(request(key));
    }

    /** Takes the lock from its holder as {@link LockOperations#forceAcquire(LockRequest)} does, for this key. */
    public Lease forceAcquire(Object key) {
        return operations.forceAcquire(request(key));
    }

    /** Returns a mutex as {@link LockOperations#mutex(LockRequest)} does, for this key. */
    public DistributedMutex mutex(Object key) {
        return operations.mutex(request(key));
    }

    @Override
    public String toString() {
        return "LockScope '" + name() + "'";
    }
}
