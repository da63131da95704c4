package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener.Granted;
import dev.baton.lock.LockListener.Request;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockState;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.event.RequestLog;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one DEBUG line per grant, and a WARN line when requests wait too long. The warning is logged while the requests
 * wait, and names the holder and the length of the queue; requests of this process that wait for the same lock and
 * cross the limit together share a line. The values of each line are also key-value pairs.
 */
final class LoggingRequestLog implements RequestLog {

    /** The category of these lines; part of the public API. */
    static final String CATEGORY = "dev.baton.lock";

    private static final Logger log = LoggerFactory.getLogger(CATEGORY);

    private final SlowWaitMonitor slowWaits;

    /**
     * Creates the log.
     *
     * @param slowWait how long a request may wait without a warning; zero never warns
     * @param engine supplies the running engine, or {@code null} if none runs
     */
    LoggingRequestLog(LockStore store, TimeSource time, Duration slowWait, Supplier<@Nullable LockEngine> engine) {
        this.slowWaits = new SlowWaitMonitor(store, time, slowWait, engine, LoggingRequestLog::warn);
    }

    @Override
    public void waits() {
        slowWaits.watch();
    }

    @Override
    public boolean logsGrants() {
        return log.isDebugEnabled();
    }

    @Override
    public void granted(Granted event) {
        Request request = event.request();
        LockHolder before = event.waitedFor();
        log.atDebug()
                .addKeyValue("lock", request.title())
                .addKeyValue("scope", request.scope())
                .addKeyValue("owner", LockNames.printable(request.owner()))
                .addKeyValue("token", event.fencingToken())
                .addKeyValue("waited_ms", event.waited().toMillis())
                .addKeyValue("contended", event.contended())
                .log(
                        "Lock '{}' granted to {} (token {}) after {} ms{}",
                        request.title(),
                        request.label(),
                        event.fencingToken(),
                        event.waited().toMillis(),
                        before == null ? "" : "; it was held by " + before.label());
    }

    /** Logs the warning with what is known, because the store may not have answered. */
    private static void warn(Request request, Duration waited, int requests, @Nullable LockState state) {
        LockHolder holder = state == null ? null : state.holder().orElse(null);
        String queue = state == null ? "unknown" : Long.toString(state.waiting());
        log.atWarn()
                .addKeyValue("lock", request.title())
                .addKeyValue("scope", request.scope())
                .addKeyValue("owner", LockNames.printable(request.owner()))
                .addKeyValue("waited_ms", waited.toMillis())
                .addKeyValue("requests", requests)
                .addKeyValue("holder", holder == null ? "unknown" : holder.label())
                .addKeyValue("queue", queue)
                .log(
                        "Lock '{}' still not granted to {}{} after {} ms (baton.log.slow-wait); held by {}; {} in its"
                                + " queue",
                        request.title(),
                        request.label(),
                        requests == 1 ? "" : " and " + (requests - 1) + " more of this process",
                        waited.toMillis(),
                        holder == null ? "no known holder" : holder,
                        queue);
    }
}
