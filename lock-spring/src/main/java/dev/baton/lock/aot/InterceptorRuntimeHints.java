package dev.baton.lock.aot;

import dev.baton.lock.interceptor.expression.LockExpressionRoot;
import dev.baton.lock.interceptor.transaction.TransactionRules;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers what the interceptor looks up by name or by reflection, regardless of the locks of the application. */
final class InterceptorRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        // needed for #root.method, #root.args and so on
        hints.reflection().registerType(LockExpressionRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader != null ? classLoader : InterceptorRuntimeHints.class.getClassLoader(),
                        TransactionRules.TRANSACTIONS,
                        type -> {});
    }
}
