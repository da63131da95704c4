/** Every attribute of {@code @DistributedLock}, as an application with the starter notices it on a real Redis. */
package dev.baton.lock.autoconfigure.attributes;
