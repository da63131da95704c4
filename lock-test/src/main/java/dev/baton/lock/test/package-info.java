/** What tests need around a lock: a Redis of their own, a network that fails on demand, other processes, and judges. */
@NullMarked
package dev.baton.lock.test;

import org.jspecify.annotations.NullMarked;
