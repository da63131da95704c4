/** The annotation, and the reader that turns it into a lock attribute. */
@NullMarked
package dev.baton.lock.annotation;

import org.jspecify.annotations.NullMarked;
