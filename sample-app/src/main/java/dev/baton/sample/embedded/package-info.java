/** A Redis of the sample's own, for those who have none at hand. */
@NullMarked
package dev.baton.sample.embedded;

import org.jspecify.annotations.NullMarked;
