package dev.baton.lock.support;

import dev.baton.lock.store.LockName;

/**
 * A request with everything decided that it left open.
 *
 * @param waitNanos how long it may take; of a try, how long the one answer may take
 * @param tries whether it asks only once
 * @param renewed whether its lease is prolonged while it is held
 */
record ClaimSpec(
        LockName name,
        String owner,
        String label,
        long leaseNanos,
        boolean renewed,
        long waitNanos,
        boolean unbounded,
        boolean tries) {}
