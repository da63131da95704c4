/** Processes that contend for one server, watched from outside the lock. */
@NullMarked
package dev.baton.sample.simulate;

import org.jspecify.annotations.NullMarked;
