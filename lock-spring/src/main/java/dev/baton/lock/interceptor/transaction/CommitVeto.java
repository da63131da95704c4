package dev.baton.lock.interceptor.transaction;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction in a thread that works under a lost lock. The transaction is rolled back, and the
 * caller that commits receives a {@link dev.baton.lock.LockLostException}. Thread-safe.
 */
final class CommitVeto implements TransactionExecutionListener {

    /**
     * Runs after all other actions before a commit, so that as little as possible can happen between the check and the
     * commit.
     */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isNewTransaction()) {
            LockContext.leases().forEach(Lease::verify);
        }
    }
}
