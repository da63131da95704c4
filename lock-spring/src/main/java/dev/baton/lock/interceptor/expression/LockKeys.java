package dev.baton.lock.interceptor.expression;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.interceptor.DeclaredLock;
import dev.baton.lock.interceptor.ModedLocks;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** The keys of a method's locks, of which at least one has expressions. Immutable. */
public final class LockKeys {

    private final List<Keyed> locks;

    private LockKeys(List<Keyed> locks) {
        this.locks = locks;
    }

    /** Parses the keys of a method's locks. Returns {@code null} if none has an expression. */
    public static @Nullable LockKeys parse(LockExpressions expressions, List<DeclaredLock> locks, Method named) {
        return locks.stream().allMatch(lock -> lock.key().isEmpty())
                ? null
                : new LockKeys(locks.stream()
                        .map(lock -> new Keyed(lock.target(), key(expressions, lock.key(), named), lock.mode()))
                        .toList());
    }

    private static @Nullable LockKey key(LockExpressions expressions, List<String> parts, Method named) {
        return parts.isEmpty()
                ? null
                : new LockKey(parts.stream()
                        .map(part -> expressions.parseName("key", part, named))
                        .toList());
    }

    /**
     * Returns the request of a call for its locks, in the order of their declaration. Two of them may be the same.
     *
     * @param request the request of every call
     * @throws IllegalArgumentException if a value cannot be part of a key; the message names the expression
     */
    public LockRequest request(LockRequest request, EvaluationContext context) {
        if (locks.size() == 1) {
            return request.targets(locks.get(0).targets(context));
        }
        List<ModedLocks.One> called = new ArrayList<>(locks.size());
        locks.forEach(lock -> called.add(new ModedLocks.One(lock.targets(context), lock.mode())));
        return ModedLocks.request(request, called);
    }

    /**
     * One lock.
     *
     * @param target the lock of every call, or the scope of the key
     */
    private record Keyed(LockTarget target, @Nullable LockKey key, LockMode mode) {

        List<LockTarget> targets(EvaluationContext context) {
            return key == null ? List.of(target) : key.targets(target.scope(), context);
        }
    }
}
