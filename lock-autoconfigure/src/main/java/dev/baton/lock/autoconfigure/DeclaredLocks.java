package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.LockedMethods;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Holds the methods of the application's beans that have a lock. Finds them on the first call, which must come after
 * the creation of the singletons; before, the classes of some beans are not known. Thread-safe.
 */
final class DeclaredLocks {

    private final Supplier<LockedMethods.Declarations> declarations;

    DeclaredLocks(ConfigurableListableBeanFactory beanFactory, LockAttributeSource attributeSource) {
        LockedMethods lockedMethods = new LockedMethods(attributeSource);
        this.declarations = SingletonSupplier.of(() -> lockedMethods.declarations(beanFactory));
    }

    /** Returns the methods that have a lock, once per class. */
    List<LockedMethods.Declared> methods() {
        return declarations.get().methods();
    }

    /** Returns the number of beans that have such a method. */
    int beans() {
        return declarations.get().beans();
    }

    /** Returns the requests of the methods. A key that is an expression is not part of them. */
    List<LockRequest> requests() {
        return methods().stream().map(method -> method.attribute().request()).toList();
    }
}
