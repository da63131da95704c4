/** Several instances of the sample on one Redis, each a process of its own, and what all of them are doing. */
@NullMarked
package dev.baton.sample.members;

import org.jspecify.annotations.NullMarked;
