package dev.baton.lock.reactive;

import dev.baton.lock.LockRequest;

/**
 * How a lock is to be taken.
 *
 * @param kept whether it is held until the active transaction completes
 */
record ReactiveLockRequest(LockRequest request, boolean kept) {}
