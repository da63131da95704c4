/**
 * The store on Redis. Only this package and its subpackages use Redis: {@code key} (names, failures, threads),
 * {@code script} and {@code transaction} (the two handlers), {@code pubsub} (messages), {@code client} with
 * {@code lettuce} and {@code jedis} (the client libraries), {@code cluster}, and {@code replica} (acknowledgements).
 * Begin with {@link dev.baton.lock.redis.RedisLockStore}.
 *
 * <p>The page {@code docs/storage.md} describes the keys and their texts. A nested namespace is part of the namespace
 * {@code P} there, except for fence and inbox. {@code {N}} is the name in braces, or the name alone if it has a hash tag
 * of its own. All keys of one name are therefore in one slot. A message is {@code grant 1 id token lock-key}; for several
 * locks {@code grant 2 id token}, then for each lock the number of bytes of its key and the key; or
 * {@code revoke 1 id token lock-key}.
 *
 * <p>All keys of one lock are declared to the scripts. A hand-over may meet a request for several locks, and then also
 * uses the keys of the other locks, which it derives from their lock keys. This requires a server that has all keys. In a
 * cluster, a request for several locks therefore needs names of one slot.
 *
 * <p>The scripts and the transactions read and write the same state. A waiter with keyspace notifications subscribes to
 * {@code __keyspace@database__:P:lock:{N}}, a channel of Redis itself.
 */
@NullMarked
package dev.baton.lock.redis;

import org.jspecify.annotations.NullMarked;
