package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.support.LockAdministration.StoreDescription;
import dev.baton.lock.support.LockTemplate;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the locks of an application, for the log and for Actuator. Immutable.
 *
 * @param version the version of Baton
 * @param enabled whether locks are acquired
 * @param methods the number of methods that have a lock
 * @param beans the number of beans that have such a method
 * @param store the store of the locks, or {@code null} if nothing is locked or the application locks in its own way
 */
record LockSummary(
        String version,
        boolean enabled,
        int methods,
        int beans,
        @Nullable StoreDescription store) {

    /**
     * Summarizes by what is known already: asks no server, and returns at once.
     *
     * @param template the template that acquires the locks, or {@code null} if the application has none
     */
    static LockSummary of(DeclaredLocks declared, boolean enabled, @Nullable LockTemplate template) {
        return new LockSummary(
                BatonVersion.get(),
                enabled,
                declared.methods().size(),
                declared.beans(),
                !enabled || template == null ? null : template.administration().describeStore());
    }

    /** Returns one line for people. */
    String line() {
        StringBuilder line = new StringBuilder("Baton ")
                .append(version)
                .append(": ")
                .append(count(methods, "locked method"))
                .append(" in ")
                .append(count(beans, "bean"));
        if (store == null) {
            return line.append(", locked by the application's own LockOperations")
                    .toString();
        }
        LockCapabilities capabilities = store.capabilities();
        line.append(", ").append(store.location());
        capabilities.server().ifPresent(server -> line.append(", server ").append(server));
        if (!store.namespace().isEmpty()) {
            line.append(", namespace '").append(store.namespace()).append('\'');
        }
        return line.append(", wait strategy ")
                .append(text(capabilities.waitStrategy()))
                .append(handler(capabilities.handler()))
                .toString();
    }

    /** Returns the details for Actuator. Leaves out what is not known, and where the store is. */
    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("version", version);
        details.put("enabled", enabled);
        details.put("lockedMethods", methods);
        details.put("lockedBeans", beans);
        if (store != null) {
            LockCapabilities capabilities = store.capabilities();
            if (!store.namespace().isEmpty()) {
                details.put("namespace", store.namespace());
            }
            details.put("waitStrategy", text(capabilities.waitStrategy()));
            details.put("handler", text(capabilities.handler()));
            capabilities.server().ifPresent(server -> details.put("server", server));
        }
        return details;
    }

    private static String handler(LockCapabilities.Handler handler) {
        return switch (handler) {
            case SCRIPT, TRANSACTION -> ", handler " + text(handler);
            case UNDECIDED -> ", handler auto (undecided until Redis answers)";
            case OTHER -> "";
        };
    }

    private static String count(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
