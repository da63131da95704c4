/** {@code @DistributedLock} beside other annotations on the same method, on a real Redis. */
package dev.baton.lock.autoconfigure.combinations;
