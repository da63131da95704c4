package dev.baton.lock.reactive;

import dev.baton.lock.LockRequest;

/**
 * Describes how a lock is to be acquired.
 *
 * @param kept whether the lock is held until the active transaction completes
 */
record ReactiveLockRequest(LockRequest request, boolean kept) {}
