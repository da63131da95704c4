package dev.baton.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all locks of one scope, said once; only the key is left to each use. Made by
 * {@link LockOperations#scope(String)}.
 *
 * <p>Immutable and thread-safe, so it may be kept in a constant: every method that sets something returns another scope, and
 * checks what it is given. What is not set is taken from the operations.
 */
public final class LockScope {

    private final LockOperations operations;
    /** For the key {@link LockRequest#GLOBAL}. */
    private final LockRequest settings;

    private LockScope(LockOperations operations, LockRequest settings) {
        this.operations = operations;
        this.settings = settings;
    }

    /**
     * A scope of the operations.
     *
     * @throws IllegalArgumentException if the scope cannot be used
     */
    static LockScope of(LockOperations operations, String scope) {
        return new LockScope(operations, LockRequest.of(scope));
    }

    private LockScope with(LockRequest changed) {
        return new LockScope(operations, changed);
    }

    /** What kind of thing is locked. */
    public String name() {
        return settings.targets().get(0).scope();
    }

    /** As {@link LockRequest#namespace(String)}. */
    public LockScope namespace(@Nullable String namespace) {
        return with(settings.namespace(namespace));
    }

    /** As {@link LockRequest#expire(Duration)}. */
    public LockScope expire(@Nullable Duration expire) {
        return with(settings.expire(expire));
    }

    /** As {@link LockRequest#waitTime(Duration)}. */
    public LockScope waitTime(Duration waitTime) {
        return with(settings.waitTime(waitTime));
    }

    /** As {@link LockRequest#waitTime(WaitTime)}. */
    public LockScope waitTime(@Nullable WaitTime waitTime) {
        return with(settings.waitTime(waitTime));
    }

    /** As {@link LockRequest#waitUnbounded()}. */
    public LockScope waitUnbounded() {
        return with(settings.waitUnbounded());
    }

    /** As {@link LockRequest#stallTime(Duration)}. */
    public LockScope stallTime(@Nullable Duration stallTime) {
        return with(settings.stallTime(stallTime));
    }

    /** As {@link LockRequest#recheck(Duration)}. */
    public LockScope recheck(@Nullable Duration recheck) {
        return with(settings.recheck(recheck));
    }

    /** As {@link LockRequest#renew(Renewal)}. */
    public LockScope renew(Renewal renew) {
        return with(settings.renew(renew));
    }

    /** As {@link LockRequest#holdAtLeast(Duration)}. */
    public LockScope holdAtLeast(@Nullable Duration holdAtLeast) {
        return with(settings.holdAtLeast(holdAtLeast));
    }

    /** As {@link LockRequest#owner(String)}. */
    public LockScope owner(@Nullable String owner) {
        return with(settings.owner(owner));
    }

    /** As {@link LockRequest#reentrant(boolean)}. */
    public LockScope reentrant(boolean reentrant) {
        return with(settings.reentrant(reentrant));
    }

    /** As {@link LockRequest#interruptible(boolean)}. */
    public LockScope interruptible(boolean interruptible) {
        return with(settings.interruptible(interruptible));
    }

    /** As {@link LockRequest#onLost(OnLost)}. */
    public LockScope onLost(@Nullable OnLost onLost) {
        return with(settings.onLost(onLost));
    }

    /**
     * The request for one lock of this scope, for whatever takes a request.
     *
     * @param parts as {@link LockKeyPart} accepts them; none: {@link LockRequest#GLOBAL}
     * @throws IllegalArgumentException if a part cannot be used
     */
    public LockRequest request(@Nullable Object @Nullable ... parts) {
        return settings.targets(List.of(LockTarget.of(name(), parts)));
    }

    /**
     * The request for several locks of this scope, one per key: all or none.
     *
     * @throws IllegalArgumentException as {@link LockRequest#ofAll(String, Collection)} does
     */
    public LockRequest requestAll(Collection<?> keys) {
        return settings.targets(LockRequest.ofAll(name(), keys).targets());
    }

    /** As {@link LockOperations#execute(LockRequest, LockCallback)} for this key. */
    public <T extends @Nullable Object, E extends Exception> T execute(Object key, LockCallback<T, E> action) throws E {
        return operations.execute(request(key), action);
    }

    /** As {@link LockOperations#execute(LockRequest, LockCallback)} for the key {@link LockRequest#GLOBAL}. */
    public <T extends @Nullable Object, E extends Exception> T execute(LockCallback<T, E> action) throws E {
        return operations.execute(settings, action);
    }

    /** As {@link LockOperations#executeWithoutResult(LockRequest, LockRunnable)} for this key. */
    public <E extends Exception> void executeWithoutResult(Object key, LockRunnable<E> action) throws E {
        operations.executeWithoutResult(request(key), action);
    }

    /** As {@link LockOperations#executeWithoutResult(LockRequest, LockRunnable)} for {@link LockRequest#GLOBAL}. */
    public <E extends Exception> void executeWithoutResult(LockRunnable<E> action) throws E {
        operations.executeWithoutResult(settings, action);
    }

    /** As {@link LockOperations#tryExecute(LockRequest, LockCallback)} for this key. */
    public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
            Object key, LockCallback<T, E> action) throws E {
        return operations.tryExecute(request(key), action);
    }

    /** As {@link LockOperations#acquire(LockRequest)} for this key. */
    public Lease acquire(Object key) {
        return operations.acquire(request(key));
    }

    /** As {@link LockOperations#tryAcquire(LockRequest)} for this key. */
    public Optional<Lease> tryAcquire(Object key) {
        return operations.tryAcquire(request(key));
    }

    /** As {@link LockOperations#mutex(LockRequest)} for this key. */
    public DistributedMutex mutex(Object key) {
        return operations.mutex(request(key));
    }

    @Override
    public String toString() {
        return "LockScope '" + name() + "'";
    }
}
