// plant: lock-core/src/main/java/dev/baton/lock/support/RawType.java
// gate: lint with -Werror | RawType\.java: warnings found and -Werror
package dev.baton.lock.support;

import java.util.List;

/** Uses a raw type. */
final class RawType {

    private RawType() {}

    static int size(List texts) {
        return texts.size();
    }
}
