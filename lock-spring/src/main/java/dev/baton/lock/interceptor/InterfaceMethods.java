package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.springframework.core.BridgeMethodResolver;

/**
 * Finds the interface methods that a method implements. A superclass may implement a method of an interface that only
 * the subclass declares.
 */
public final class InterfaceMethods {

    private InterfaceMethods() {}

    /**
     * Returns those methods of the interfaces whose call executes the given method.
     *
     * @param executed a method of the class or of a superclass
     * @param targetClass a class that implements the interfaces
     */
    public static List<Method> implementedBy(
            Method executed, Class<?> targetClass, Collection<? extends Class<?>> interfaces) {
        return interfaces.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(declared -> declared.getName().equals(executed.getName()))
                .filter(declared -> declared.getParameterCount() == executed.getParameterCount())
                .filter(declared -> declared.equals(executed)
                        || BridgeMethodResolver.getMostSpecificMethod(declared, targetClass)
                                .equals(executed))
                .toList();
    }
}
