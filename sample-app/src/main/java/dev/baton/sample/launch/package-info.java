/** Further processes of the sample: how they are started, and how they end with the one that started them. */
@NullMarked
package dev.baton.sample.launch;

import org.jspecify.annotations.NullMarked;
