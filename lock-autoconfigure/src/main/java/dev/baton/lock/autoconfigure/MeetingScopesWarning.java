package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.interceptor.LockedMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Logs once, after bean creation, which scopes of methods and properties can name the same lock. */
final class MeetingScopesWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(MeetingScopesWarning.class);

    private final DeclaredLocks locks;
    private final ObjectProvider<LockProperties> properties;

    MeetingScopesWarning(DeclaredLocks locks, ObjectProvider<LockProperties> properties) {
        this.locks = locks;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<MeetingScopes.Declared> declared = new ArrayList<>();
        locks.methods().forEach(locked -> scopes(locked).forEach(declared::add));
        properties
                .getObject()
                .scopes()
                .keySet()
                .forEach(scope -> declared.add(new MeetingScopes.Declared(
                        scope, null, LockProperties.PREFIX + ".scopes" + ScopeProperties.element(scope), true)));
        MeetingScopes.messages(declared).forEach(logger::warn);
    }

    private static Stream<MeetingScopes.Declared> scopes(LockedMethods.Declared locked) {
        LockRequest request = locked.attribute().request();
        String namespace = request.namespace() == null ? "" : request.namespace();
        String where = locked.type().getName() + "." + locked.method().getName();
        // without a key, the scope has a single lock, whose key contains no dot: it cannot meet a longer scope
        boolean keyed = !locked.attribute().key().isEmpty()
                || request.targets().stream()
                        .anyMatch(target -> !target.keyParts().equals(List.of(LockTarget.GLOBAL)));
        return request.targets().stream()
                .map(LockTarget::scope)
                .distinct()
                .map(scope -> new MeetingScopes.Declared(scope, namespace, where, keyed));
    }
}
