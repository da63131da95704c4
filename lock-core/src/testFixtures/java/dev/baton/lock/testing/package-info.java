/** Provides fakes of the contracts for tests of the code that is built on them. */
@NullMarked
package dev.baton.lock.testing;

import org.jspecify.annotations.NullMarked;
