package dev.baton.lock.autoconfigure;

import dev.baton.lock.support.LockTemplate;

/**
 * Holds the template that locks nothing, for {@code baton.enabled=false}. Methods use this template even if the
 * application defines its own {@code LockOperations}, which may lock. This type is not a {@code LockOperations},
 * because it would be a second bean of that type.
 *
 * @param template the template on an {@link UnlockedStore}
 */
record UnlockedTemplate(LockTemplate template) implements AutoCloseable {

    @Override
    public void close() {
        template.close();
    }
}
