package dev.baton.lock.interceptor.transaction;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction in a thread that works under a lock which it has lost: the transaction is rolled back, and
 * who commits is thrown a {@link dev.baton.lock.LockLostException}. Thread-safe.
 */
final class CommitVeto implements TransactionExecutionListener {

    /** After all that is done before a commit, so that as little as possible can happen between the answer and the commit. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isNewTransaction()) {
            LockContext.leases().forEach(Lease::verify);
        }
    }
}
