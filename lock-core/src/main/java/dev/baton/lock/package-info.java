/**
 * The contracts of Baton: requests ({@link dev.baton.lock.LockRequest}), operations
 * ({@link dev.baton.lock.LockOperations}), leases ({@link dev.baton.lock.Lease}) and failures
 * ({@link dev.baton.lock.LockException} and its subclasses). Imports nothing else of Baton.
 */
@NullMarked
package dev.baton.lock;

import org.jspecify.annotations.NullMarked;
