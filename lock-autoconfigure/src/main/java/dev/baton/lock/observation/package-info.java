/** Meters and observations of locks. Loaded only if Micrometer is on the class path. */
@NullMarked
package dev.baton.lock.observation;

import org.jspecify.annotations.NullMarked;
