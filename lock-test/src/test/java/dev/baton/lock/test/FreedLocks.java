package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import dev.baton.lock.time.EngineTimer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the processes of a fleet of locks that were freed, as the keyspace notifications of Redis do. */
final class FreedLocks {

    private static final Logger log = LoggerFactory.getLogger(FreedLocks.class);

    private final Set<UnqueuedStore> processes = ConcurrentHashMap.newKeySet();
    private final Predicate<LockName> isFree;
    private final EngineTimer messages;

    FreedLocks(Predicate<LockName> isFree, TestClock clock) {
        this.isFree = isFree;
        this.messages = clock.newTimer("baton-test-keyspace");
    }

    void add(UnqueuedStore process) {
        processes.add(process);
    }

    void remove(UnqueuedStore process) {
        processes.remove(process);
    }

    /** Notifies the processes of the locks that are free after this time. */
    void checkAfter(List<LockName> names, long millis) {
        try {
            messages.schedule(
                    () -> names.stream()
                            .filter(isFree)
                            .forEach(name -> processes.forEach(process -> process.wasFreed(name))),
                    Duration.ofMillis(millis).toNanos());
        } catch (RejectedExecutionException ex) {
            log.debug("A process was still at work when its fleet was stopped", ex);
        }
    }

    void stop() {
        messages.stop();
    }
}
