package dev.baton.lock.testing;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** A manager of empty transactions, one per thread, which records in the journal when they begin and end. */
public final class JournalTransactionManager extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    private final transient Journal journal;
    private final transient ThreadLocal<Boolean> active = ThreadLocal.withInitial(() -> false);

    public JournalTransactionManager(Journal journal) {
        this.journal = journal;
    }

    @Override
    protected Object doGetTransaction() {
        return this;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return active.get();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        active.set(true);
        journal.add("begin");
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        journal.add("commit");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        journal.add("rollback");
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        journal.add("rollback only");
    }

    @Override
    protected Object doSuspend(Object transaction) {
        active.set(false);
        journal.add("suspend");
        return this;
    }

    @Override
    protected void doResume(Object transaction, Object suspendedResources) {
        active.set(true);
        journal.add("resume");
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        active.set(false);
    }
}
