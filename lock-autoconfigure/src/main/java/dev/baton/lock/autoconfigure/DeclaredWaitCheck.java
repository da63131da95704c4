package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.LockedMethods;
import dev.baton.lock.support.LockTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.StringUtils;

/**
 * Checks, after bean creation, that the locked methods can wait as their declarations say. That depends on the store,
 * which does not exist when a declaration is read. {@code LockOperations} of the application that are no
 * {@link LockTemplate} cannot be asked, and check each call.
 */
final class DeclaredWaitCheck implements SmartInitializingSingleton {

    private final DeclaredLocks declared;
    private final ObjectProvider<LockOperations> operations;

    DeclaredWaitCheck(DeclaredLocks declared, ObjectProvider<LockOperations> operations) {
        this.declared = declared;
        this.operations = operations;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (LockedMethods.Declared method : declared.methods()) {
            LockRequest request = method.attribute().request();
            // most applications declare none, and need no template for this check
            if ((request.waitStrategy() != null || request.pollingInterval() != null)
                    && operations.getIfUnique() instanceof LockTemplate template) {
                check(method, request, template);
            }
        }
    }

    private static void check(LockedMethods.Declared method, LockRequest request, LockTemplate template) {
        try {
            template.checkWait(request);
        } catch (IllegalArgumentException ex) {
            boolean polls = request.waitStrategy() == null || request.waitStrategy() == WaitStrategy.POLLING;
            String message = String.valueOf(ex.getMessage());
            int remedy = message.indexOf("; ");
            throw new LockDefinitionException(
                    method.type(),
                    method.method(),
                    polls ? "pollingIntervalString" : "waitStrategy",
                    message.substring(0, remedy),
                    StringUtils.capitalize(message.substring(remedy + 2)),
                    ex);
        }
    }
}
