package dev.baton.lock.engine;

import dev.baton.lock.LockNames;

/**
 * Who asks, within this process.
 *
 * @param id of a thread or a chosen owner; never the same for both
 * @param label for people: printable, as {@link LockNames#printable} makes it
 * @param chosen whether the request names it, so that several threads may ask for it at the same time
 */
public record CallerIdentity(String id, String label, boolean chosen) {

    public CallerIdentity {
        label = LockNames.printable(label);
    }

    /** Its id as the store knows it. */
    public String owner(String process) {
        return process + ":" + id;
    }
}
