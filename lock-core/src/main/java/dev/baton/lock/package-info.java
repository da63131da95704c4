/**
 * The contracts of Baton: what is asked for ({@link dev.baton.lock.LockRequest}), who answers
 * ({@link dev.baton.lock.LockOperations}), what is given ({@link dev.baton.lock.Lease}) and what can go wrong
 * ({@link dev.baton.lock.LockException} and its children). Imports nothing else of Baton.
 */
@NullMarked
package dev.baton.lock;

import org.jspecify.annotations.NullMarked;
