/** The fleet manager: what an application with locks looks like. */
@NullMarked
package dev.baton.sample.fleet;

import org.jspecify.annotations.NullMarked;
