package dev.baton.lock.actuate;

import dev.baton.lock.LockState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes an audit event per force-release, by whatever way it was requested. Thread-safe. */
public final class ForceReleaseAudit {

    /** The type of the audit event. */
    public static final String FORCE_RELEASED = "LOCK_FORCE_RELEASED";

    private final ApplicationEventPublisher events;

    public ForceReleaseAudit(ApplicationEventPublisher events) {
        this.events = events;
    }

    /**
     * Publishes an audit event.
     *
     * @param user the user that asked for the release, or {@code null} if not known
     * @param before the state of the lock or semaphore just before the release
     * @param released whether it was held
     */
    public void released(@Nullable String user, LockState before, boolean released) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("lock", before.name());
        data.put("namespace", before.namespace());
        if (before.isSemaphore()) {
            data.put("semaphore", true);
        }
        data.put("released", released);
        before.holder().ifPresent(holder -> data.put("holder", holder.label()));
        events.publishEvent(
                new AuditApplicationEvent(new AuditEvent(user == null ? "unknown" : user, FORCE_RELEASED, data)));
    }
}
