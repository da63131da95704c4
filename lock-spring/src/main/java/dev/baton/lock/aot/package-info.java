/**
 * Hints for native images: types, fields and methods that are found by reflection.
 *
 * <p>May use all packages that need such hints; no other package uses it. Begin with
 * {@link dev.baton.lock.aot.LockedBeanAotProcessor}.
 */
@NullMarked
package dev.baton.lock.aot;

import org.jspecify.annotations.NullMarked;
