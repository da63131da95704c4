/**
 * Coordinates locks with Spring transactions: decides which of them ends first, and vetoes a commit whose lock was
 * lost.
 *
 * <p>May use {@code interceptor}. spring-tx is optional:
 * {@link dev.baton.lock.interceptor.transaction.TransactionRules} checks for it before creating objects that link to
 * it. Begin with that class.
 */
@NullMarked
package dev.baton.lock.interceptor.transaction;

import org.jspecify.annotations.NullMarked;
