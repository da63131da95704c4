/**
 * Locks and transactions of Spring: which of them ends first, and the veto of a commit whose lock was lost.
 *
 * <p>May use {@code interceptor}. spring-tx is optional: {@link dev.baton.lock.interceptor.transaction.TransactionRules} looks for it
 * before it makes what links to it. Begin there.
 */
@NullMarked
package dev.baton.lock.interceptor.transaction;

import org.jspecify.annotations.NullMarked;
