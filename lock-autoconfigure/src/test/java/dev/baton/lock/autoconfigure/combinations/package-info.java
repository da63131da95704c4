/** Tests {@code @DistributedLock} with other annotations on the same method, on a real Redis. */
package dev.baton.lock.autoconfigure.combinations;
