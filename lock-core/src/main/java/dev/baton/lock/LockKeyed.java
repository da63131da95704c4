package dev.baton.lock;

/**
 * Supplies the text that identifies an object in a lock name.
 *
 * <p>Takes precedence over every other source of a name: {@code getId()}, a record's {@code id()}, the name of an enum
 * constant.
 */
@FunctionalInterface
public interface LockKeyed {

    /**
     * Returns the value that distinguishes this object from others of its kind. The value is text, a number, a boolean,
     * an enum constant, a UUID, or a date, time or duration of {@code java.time}, neither {@code null} nor blank. The
     * value must not change while a lock on this object is held.
     */
    Object lockKey();
}
