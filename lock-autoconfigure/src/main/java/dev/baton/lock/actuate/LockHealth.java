package dev.baton.lock.actuate;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockAdministration;
import dev.baton.lock.support.LockTemplate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reports whether locks can be acquired, without the health types of a particular Spring Boot version. Immutable.
 *
 * @param up whether there is no problem
 * @param details the findings; if there is a problem, {@code problem} describes the problem and {@code consequence} its
 *     effect on the locks
 */
public record LockHealth(boolean up, Map<String, Object> details) {

    public LockHealth {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** Asks the store, and waits for its answers for at most twice the command time-out. Throws nothing. */
    public static LockHealth of(LockTemplate template) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!template.isRunning()) {
            return down(
                    details,
                    "the lock template is stopped, or stopping",
                    "locks are no longer granted; leases that are held can still be released");
        }
        LockCapabilities capabilities = template.capabilities();
        details.put("handler", text(capabilities.handler()));
        details.put("waitStrategy", text(capabilities.waitStrategy()));
        details.put("topology", text(capabilities.topology()));
        capabilities.server().ifPresent(server -> details.put("server", server));
        details.put("listening", template.isListening());
        try {
            answered(template.administration().askStore(), details);
        } catch (LockStoreException ex) {
            return down(
                    details,
                    String.valueOf(ex.getMessage()),
                    "locks are not granted: requests fail with LockStoreException; leases that are held are lost when they end");
        }
        if (!template.isListening() && capabilities.waitStrategy() != WaitStrategy.POLLING) {
            return down(
                    details,
                    "the subscription of this process is not active",
                    "locks are granted, but waiters are not notified: they ask once per recheck (baton.recheck), and others may be"
                            + " served before them");
        }
        return new LockHealth(true, details);
    }

    /** Adds the measured times. On a store with scripts, the answer also shows that scripts can be loaded and run. */
    private static void answered(LockAdministration.Answer answer, Map<String, Object> details) {
        details.put("roundTripMicros", answer.roundTrip().toNanos() / 1_000);
        answer.clockOffset().ifPresent(offset -> details.put("clockOffsetMillis", offset.toMillis()));
    }

    private static LockHealth down(Map<String, Object> details, String problem, String consequence) {
        details.put("problem", problem);
        details.put("consequence", consequence);
        return new LockHealth(false, details);
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
