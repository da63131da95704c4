package dev.baton.lock.interceptor.expression;

import dev.baton.lock.LockKeyPart;
import dev.baton.lock.LockKeyed;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.util.ObjectUtils;

/**
 * The key of one of a method's locks: one lock, or one lock per element if one of the parts is a collection.
 *
 * @param parts the parts of the key, at least one
 */
public record LockKey(List<LockExpression> parts) {

    /**
     * Names the locks of a call.
     *
     * @throws IllegalArgumentException if a value cannot be part of a key; the message names the expression
     */
    public List<LockTarget> targets(String scope, EvaluationContext context) {
        List<String> texts = new ArrayList<>(parts.size());
        List<String> elements = List.of();
        int several = -1;
        for (LockExpression part : parts) {
            Object value = part.value(context);
            if (!isSeveral(value)) {
                texts.add(text(part, value));
                continue;
            }
            if (several >= 0) {
                throw ambiguous(parts.get(several), part);
            }
            several = texts.size();
            elements = elements(value, part.source());
            texts.add("");
        }
        return several < 0 ? List.of(new LockTarget(scope, texts)) : targets(scope, texts, several, elements);
    }

    private static List<LockTarget> targets(String scope, List<String> texts, int several, List<String> elements) {
        List<LockTarget> targets = new ArrayList<>(elements.size());
        for (String element : elements) {
            List<String> own = new ArrayList<>(texts);
            own.set(several, element);
            targets.add(new LockTarget(scope, own));
        }
        return targets;
    }

    /** Returns whether a value has several elements. An array of bytes or characters represents one thing. */
    private static boolean isSeveral(@Nullable Object value) {
        if (value == null || value instanceof LockKeyed) {
            return false;
        }
        boolean listed = value instanceof Collection<?> || value.getClass().isArray();
        return listed && !(value instanceof byte[]) && !(value instanceof char[]);
    }

    private static String text(LockExpression part, @Nullable Object value) {
        if (value instanceof Map<?, ?> && !(value instanceof LockKeyed)) {
            throw new IllegalArgumentException(part.source()
                    + " is a map; write \"#map.keySet()\" or \"#map.values()\" for one lock per key or value");
        }
        return LockKeyPart.of(value, part.source());
    }

    private static List<String> elements(@Nullable Object value, String source) {
        List<?> elements = value instanceof Collection<?> collection
                ? new ArrayList<>(collection)
                : Arrays.asList(ObjectUtils.toObjectArray(value));
        if (elements.isEmpty()) {
            throw new IllegalArgumentException(
                    source
                            + " is empty, so the call names no lock; check it before the call, or take the lock on a condition");
        }
        if (elements.size() > LockRequest.MOST_LOCKS) {
            throw new IllegalArgumentException(source + " has " + elements.size()
                    + " elements, and a request has at most " + LockRequest.MOST_LOCKS
                    + " locks; lock what they have in common instead");
        }
        List<String> texts = new ArrayList<>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            texts.add(LockKeyPart.of(elements.get(i), "element " + (i + 1) + " of " + source));
        }
        return texts;
    }

    private static IllegalArgumentException ambiguous(LockExpression first, LockExpression second) {
        return new IllegalArgumentException(first.source() + " and "
                + second.written()
                + " are both collections, and it is not clear which of their elements belong together; make one of them a single"
                + " value, or build the keys in one expression, such as \"@keys.of(#from, #to)\"");
    }
}
