package dev.baton.lock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The page that shows the locks. Immutable, validated on creation.
 *
 * @param enabled Whether this application, one on Spring MVC, serves a page that shows the locks. Protect it as you do Actuator.
 * @param path Where that page is. Names of letters, digits, '-', '_', '.' and '~', with a slash before each.
 * @param showValues Whether the page shows whole names of locks, keys included. Otherwise only their scopes are.
 * @param forceRelease Whether a lock can be taken away from its holder on that page.
 */
@ConfigurationProperties(LockBoardProperties.PREFIX)
public record LockBoardProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/baton") String path,
        @DefaultValue("never") Show showValues,
        @DefaultValue("false") boolean forceRelease) {

    static final String PREFIX = LockProperties.PREFIX + ".board";

    public LockBoardProperties {
        if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw LockProperties.invalid(
                    "board.path",
                    path,
                    "board.path '" + path
                            + "' is no path below the root; write names of letters, digits, '-', '_', '.' and '~'"
                            + " with a slash before each, as in /ops/locks");
        }
    }

    /** As Actuator's, without roles: the board does not know who looks. */
    public enum Show {
        /** Scopes only. */
        NEVER,
        /** Whole names. */
        ALWAYS
    }
}
