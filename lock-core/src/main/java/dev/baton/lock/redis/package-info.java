/** The store on Redis: the only package that talks to it. */
@NullMarked
package dev.baton.lock.redis;

import org.jspecify.annotations.NullMarked;
