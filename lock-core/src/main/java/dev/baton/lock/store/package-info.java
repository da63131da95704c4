/** The contract between the engine and a lock store, which never waits. */
@NullMarked
package dev.baton.lock.store;

import org.jspecify.annotations.NullMarked;
