package dev.baton.lock;

/**
 * An object that says itself which text stands for it in a lock name.
 *
 * <p>Takes precedence over what else could name it: {@code getId()}, a record's {@code id()}, the name of an enum constant.
 */
@FunctionalInterface
public interface LockKeyed {

    /**
     * Returns what tells this object from others of its kind: text, a number, a boolean, an enum constant or a UUID,
     * neither null nor blank. Must not change while a lock on it is held.
     */
    Object lockKey();
}
