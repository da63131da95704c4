/** Stand-ins for tests of what is built on the contracts. */
@NullMarked
package dev.baton.lock.testing;

import org.jspecify.annotations.NullMarked;
