package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnStuck;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.LockedMethods;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.UnservedRequestException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.StringUtils;

/**
 * Checks, after bean creation, that the store can serve the locked methods as they are declared. The store does not exist
 * when a declaration is read. {@code LockOperations} of the application that are no {@link LockTemplate} cannot be asked,
 * and check each call.
 */
final class DeclaredRequestCheck implements SmartInitializingSingleton {

    private final DeclaredLocks declared;
    private final ObjectProvider<LockOperations> operations;
    private final boolean limited;

    /**
     * Creates the check.
     *
     * @param limited whether the length of leases is limited
     */
    DeclaredRequestCheck(DeclaredLocks declared, ObjectProvider<LockOperations> operations, boolean limited) {
        this.declared = declared;
        this.operations = operations;
        this.limited = limited;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (LockedMethods.Declared method : declared.methods()) {
            LockRequest request = method.attribute().request();
            // most applications declare none of these, and need no template for this check
            boolean special = request.isShared()
                    || request.permits() != null
                    || request.waitStrategy() != null
                    || request.pollingInterval() != null
                    || request.onStuck() == OnStuck.STEAL
                    || limited && request.expire() != null;
            if (special && operations.getIfUnique() instanceof LockTemplate template) {
                check(method, request, template);
            }
        }
    }

    private static void check(LockedMethods.Declared method, LockRequest request, LockTemplate template) {
        try {
            template.checkServed(request);
        } catch (UnservedRequestException ex) {
            boolean interval = ex.setting().equals("pollingInterval");
            throw new LockDefinitionException(
                    method.type(),
                    method.method(),
                    interval ? "pollingIntervalString" : ex.setting(),
                    ex.problem(),
                    StringUtils.capitalize(ex.remedy()),
                    ex);
        }
    }
}
