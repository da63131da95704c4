package dev.baton.lock.interceptor.validation;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The members that SpEL can read from the values of a declared type.
 *
 * @param owner the declared type; not primitive, no array
 */
record DeclaredMembers(Class<?> owner) {

    private static final PropertyFinder PROPERTIES = new PropertyFinder();

    static DeclaredMembers of(Class<?> owner) {
        return new DeclaredMembers(owner);
    }

    /**
     * Returns the class of a declared type if its members are known. Returns {@code null} for generic types, arrays,
     * maps, {@code Optional}, from which SpEL may read the value, {@code Class}, whose static members SpEL reads, and
     * {@code Object}.
     *
     * @param context the class that may define the type variables
     */
    static @Nullable Class<?> known(Type declared, Class<?> context) {
        // a variable of the method could be mistaken for one of the class with the same name
        boolean ofMethod =
                declared instanceof TypeVariable<?> variable && !(variable.getGenericDeclaration() instanceof Class);
        if (ofMethod || !(GenericTypeResolver.resolveType(declared, context) instanceof Class<?> type)) {
            return null;
        }
        boolean open = type.isArray()
                || type == void.class
                || type == Object.class
                || type == Class.class
                || type == Optional.class
                || Map.class.isAssignableFrom(type);
        return open ? null : ClassUtils.resolvePrimitiveIfNecessary(type);
    }

    /** Returns whether all values of the type are of this very class. */
    boolean isClosed() {
        return Modifier.isFinal(owner.getModifiers());
    }

    /** Returns whether the values of the type, or of a subclass that a sealed type permits, have a property. */
    boolean mayHaveProperty(String name) {
        return property(name).isPresent() || permitted().anyMatch(subclass -> subclass.mayHaveProperty(name));
    }

    /** Returns whether the values of the type, or of a subclass that a sealed type permits, have a method. */
    boolean mayHaveMethod(String name) {
        return methods().anyMatch(method -> method.getName().equals(name))
                || permitted().anyMatch(subclass -> subclass.mayHaveMethod(name));
    }

    /** Returns the type of a property, or {@code null} if it is unknown. */
    @Nullable
    Class<?> typeOfProperty(String name) {
        return property(name).map(type -> known(type, owner)).orElse(null);
    }

    /** Returns the type of the result of a method, or {@code null} if it is unknown or depends on the arguments. */
    @Nullable
    Class<?> typeOfMethod(String name) {
        List<Type> results = methods()
                .filter(method -> method.getName().equals(name))
                .map(Method::getGenericReturnType)
                .distinct()
                .toList();
        return results.size() == 1 ? known(results.get(0), owner) : null;
    }

    List<String> similarProperties(String name) {
        Stream<String> fields = Arrays.stream(owner.getFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName);
        Stream<String> accessors = methods()
                .filter(method -> method.getParameterCount() == 0 && method.getReturnType() != void.class)
                .map(DeclaredMembers::propertyName);
        return SimilarNames.of(name, Stream.concat(fields, accessors).toList());
    }

    List<String> similarMethods(String name) {
        return SimilarNames.of(name, methods().map(Method::getName).toList()).stream()
                .map(similar -> similar + "(..)")
                .toList();
    }

    private static String propertyName(Method method) {
        String name = method.getName();
        int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
        return prefix > 0 && name.length() > prefix && Character.isUpperCase(name.charAt(prefix))
                ? StringUtils.uncapitalizeAsProperty(name.substring(prefix))
                : name;
    }

    private Optional<Type> property(String name) {
        Optional<Type> own = PROPERTIES.find(name, owner);
        return own.isPresent() || !owner.isInterface() ? own : PROPERTIES.find(name, Object.class);
    }

    private Stream<DeclaredMembers> permitted() {
        return owner.isSealed() ? Arrays.stream(owner.getPermittedSubclasses()).map(DeclaredMembers::of) : Stream.of();
    }

    private Stream<Method> methods() {
        Stream<Method> own = Arrays.stream(owner.getMethods()).filter(method -> !method.isBridge());
        return owner.isInterface() ? Stream.concat(own, Arrays.stream(Object.class.getMethods())) : own;
    }

    /** Finds a property as SpEL does: by getter, by accessor method of the same name, by public field. */
    private static final class PropertyFinder extends ReflectivePropertyAccessor {

        Optional<Type> find(String name, Class<?> type) {
            Method getter = findGetterForProperty(name, type, false);
            if (getter != null) {
                return Optional.of(getter.getGenericReturnType());
            }
            Field field = findField(name, type, false);
            return field == null ? Optional.empty() : Optional.of(field.getGenericType());
        }
    }
}
