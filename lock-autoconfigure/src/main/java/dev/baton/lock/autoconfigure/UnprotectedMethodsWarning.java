package dev.baton.lock.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Logs once, after bean creation, how many methods that declare a lock run without the lock. */
final class UnprotectedMethodsWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(UnprotectedMethodsWarning.class);

    private final DeclaredLocks declared;

    UnprotectedMethodsWarning(DeclaredLocks declared) {
        this.declared = declared;
    }

    @Override
    public void afterSingletonsInstantiated() {
        logger.warn(
                "baton.enabled=false: nothing is locked. Methods with @DistributedLock that run unprotected: {}. The"
                        + " auto-configured LockTemplate grants everything at once.",
                declared.methods().size());
    }
}
