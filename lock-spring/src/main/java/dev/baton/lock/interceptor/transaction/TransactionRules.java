package dev.baton.lock.interceptor.transaction;

import dev.baton.lock.TransactionRule;
import dev.baton.lock.interceptor.InTransaction;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Finds the rules for locks in transactions, if spring-tx is present. */
public final class TransactionRules {

    /** The class whose presence indicates spring-tx. */
    public static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";

    private static final boolean PRESENT = ClassUtils.isPresent(TRANSACTIONS, TransactionRules.class.getClassLoader());

    private TransactionRules() {}

    /**
     * Returns the rule for the work of a {@code LockTemplate}, to be passed to its builder, or {@code null} without
     * spring-tx.
     */
    public static @Nullable TransactionRule of(InTransaction inTransaction) {
        return bound(inTransaction);
    }

    public static @Nullable TransactionBoundLock bound(InTransaction inTransaction) {
        return PRESENT ? new TransactionBoundLock(inTransaction) : null;
    }
}
