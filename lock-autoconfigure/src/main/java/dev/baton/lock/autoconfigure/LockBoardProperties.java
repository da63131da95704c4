package dev.baton.lock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the page that shows the locks. Immutable, validated on creation.
 *
 * @param enabled Whether this application serves a page that shows the locks. Needs Spring MVC. Protect the page as
 *     you protect Actuator.
 * @param path Path of that page: names of letters, digits, '-', '_', '.' and '~', with a slash before each.
 * @param showValues Whether the page shows whole names of locks, including keys. Otherwise it shows only their
 *     scopes.
 * @param forceRelease Whether a lock can be force-released on that page.
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
                            + "' is not a path below the root; write names of letters, digits, '-', '_', '.' and '~'"
                            + " with a slash before each, as in /ops/locks");
        }
    }

    /** As the values of Actuator, without roles: the board does not know its user. */
    public enum Show {
        /** Scopes only. */
        NEVER,
        /** Whole names. */
        ALWAYS
    }
}
