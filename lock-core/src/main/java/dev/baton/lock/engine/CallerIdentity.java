package dev.baton.lock.engine;

import dev.baton.lock.LockNames;

/**
 * Identifies a caller within this process.
 *
 * @param id the id of a thread or of a chosen owner, never the same for both
 * @param label the label for people, printable as {@link LockNames#printable} makes it
 * @param chosen whether the request names the owner, so that several threads may ask for this owner at the same time
 */
public record CallerIdentity(String id, String label, boolean chosen) {

    public CallerIdentity {
        label = LockNames.printable(label);
    }

    /** Returns the id of the caller as the store knows it. */
    public String owner(String process) {
        return process + ":" + id;
    }
}
