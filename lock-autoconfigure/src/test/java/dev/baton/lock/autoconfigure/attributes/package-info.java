/** Tests every attribute of {@code @DistributedLock} in an application with the starter, on a real Redis. */
package dev.baton.lock.autoconfigure.attributes;
