package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import org.jspecify.annotations.Nullable;

/** Refuses what a request may ask for and this version does not do yet. */
final class LockRequestSupport {

    private LockRequestSupport() {}

    static void check(LockRequest request) {
        refuse(request.stallTime(), "stallTime");
        refuse(request.recheck(), "recheck of a request");
        refuse(request.interruptible() ? null : false, "interruptible(false)");
    }

    private static void refuse(@Nullable Object value, String what) {
        if (value != null) {
            throw new UnsupportedOperationException(what + " is not supported yet; leave it out (" + value + ")");
        }
    }
}
