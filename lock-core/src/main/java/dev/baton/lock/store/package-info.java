/** What the engine asks of a store, which never waits. */
@NullMarked
package dev.baton.lock.store;

import org.jspecify.annotations.NullMarked;
