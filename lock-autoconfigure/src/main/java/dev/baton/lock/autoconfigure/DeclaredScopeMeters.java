package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.observation.LockMeters;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Registers the meters of all scopes that methods and properties name, after bean creation. A dashboard then shows
 * zeros before the first lock, and a counter's first increment is an increase.
 */
final class DeclaredScopeMeters implements SmartInitializingSingleton {

    private final ObjectProvider<LockMeters> meters;
    private final ObjectProvider<DeclaredLocks> declared;
    private final ObjectProvider<LockProperties> properties;

    DeclaredScopeMeters(
            ObjectProvider<LockMeters> meters,
            ObjectProvider<DeclaredLocks> declared,
            ObjectProvider<LockProperties> properties) {
        this.meters = meters;
        this.declared = declared;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<LockRequest> requests = new ArrayList<>();
        declared.ifAvailable(locks -> requests.addAll(locks.requests()));
        properties.ifAvailable(
                given -> given.scopes().keySet().stream().map(LockRequest::of).forEach(requests::add));
        meters.forEach(each -> each.declare(requests));
    }
}
