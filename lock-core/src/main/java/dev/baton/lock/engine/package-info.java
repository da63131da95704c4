/**
 * The engine between the public template and the store: assembles its parts, waits on behalf of threads, releases
 * locks, answers questions about locks, and stops.
 *
 * <p>Internal: only {@code support} uses it, and no class in it or below is an API. The parts are layered:
 * {@code event}, {@code ticket}, {@code lease}, {@code wait}, {@code cohort}, {@code engine}. Each part may use the
 * parts before it. Begin with {@link dev.baton.lock.engine.LockEngine}.
 */
@NullMarked
package dev.baton.lock.engine;

import org.jspecify.annotations.NullMarked;
