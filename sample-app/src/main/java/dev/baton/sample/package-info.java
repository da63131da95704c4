/** The sample: a fleet manager in which only one process may act on a server at a time. */
@NullMarked
package dev.baton.sample;

import org.jspecify.annotations.NullMarked;
