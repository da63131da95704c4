// plant: lock-core/src/main/java/dev/baton/lock/support/NullReturned.java
// gate: NullAway | NullReturned\.java:.*\[NullAway\]
package dev.baton.lock.support;

import java.util.Map;

/** Returns null without saying so. */
final class NullReturned {

    private NullReturned() {}

    static String of(Map<String, String> texts) {
        return texts.get("missing");
    }
}
