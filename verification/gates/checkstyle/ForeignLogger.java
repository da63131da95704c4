// plant: lock-core/src/main/java/dev/baton/lock/support/ForeignLogger.java
// gate: checkstyle, banned import | ForeignLogger\.java:.*IllegalImport
package dev.baton.lock.support;

import java.util.logging.Logger;

/** Logs past the logging facade. */
final class ForeignLogger {

    private static final Logger LOG = Logger.getLogger("planted");
}
