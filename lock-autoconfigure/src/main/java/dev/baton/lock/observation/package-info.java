/** Meters and observations of the locks; loaded only where Micrometer is on the class path. */
@NullMarked
package dev.baton.lock.observation;

import org.jspecify.annotations.NullMarked;
