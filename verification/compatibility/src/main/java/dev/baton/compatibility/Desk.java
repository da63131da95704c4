package dev.baton.compatibility;

import dev.baton.lock.LockContext;
import dev.baton.lock.annotation.DistributedLock;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Takes its limits from {@code baton.scopes.desk}. */
@Service
class Desk {

    /** Returns how long the lease is for. */
    @DistributedLock(scope = "desk", key = "#number")
    public Duration serve(int number) {
        return LockContext.currentLease().remaining();
    }
}
