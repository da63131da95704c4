/**
 * The store on Redis. Only this package and its subpackages use Redis: {@code key} (names, failures, threads),
 * {@code script} and {@code transaction} (the two handlers), {@code pubsub} (messages), {@code lettuce} and
 * {@code jedis} (the clients). Begin with {@link dev.baton.lock.redis.RedisLockStore}.
 *
 * <p>The table shows the state of lock name {@code N} under namespace {@code P}. A nested namespace is part of
 * {@code P}, except for fence and inbox. {@code {N}} is the name in braces, or the name alone if it has a hash tag of
 * its own. All keys of one name are therefore in one slot.
 *
 * <table>
 *   <caption>Storage</caption>
 *   <tr><th>key or channel</th><th>type</th><th>content</th><th>expiry</th></tr>
 *   <tr><td>{@code P:lock:{N}}</td><td>hash</td><td>mode, id (empty: kept from others for a
 *       while after its end), token, owner, label, since</td><td>the lease</td></tr>
 *   <tr><td>{@code P:queue:{N}}</td><td>sorted set</td><td>request id by arrival (us), the same in the
 *       queue of each lock that a request waits for</td><td>three rechecks, extended by
 *       every acquire</td></tr>
 *   <tr><td>{@code P:wait:{N}}</td><td>hash</td><td>request id: waiter record (JSON; for several locks also
 *       all lock keys, {@code names}, and until when others may pass it, {@code pass}; {@code reserve}, how many
 *       tokens its grant keeps free); {@code seen}: last acquire (us)</td><td>as the queue;
 *       deleted with the last waiter</td></tr>
 *   <tr><td>{@code P:over:{N}:id}</td><td>string</td><td>the request has ended, although one of its acquires is
 *       unanswered; for several locks, under the first lock</td><td>the longest that a command can be late</td></tr>
 *   <tr><td>{@code P:fence}</td><td>string</td><td>highest token given, or kept free for the
 *       process that holds the lock</td><td>none</td></tr>
 *   <tr><td>{@code P:inbox:sha1(instance)}</td><td>channel</td><td>{@code grant 1 id token lock-key}; for several locks
 *       {@code grant 2 id token}, then for each lock the number of bytes of its key and the key;
 *       {@code revoke 1 id token lock-key}</td><td></td></tr>
 * </table>
 *
 * <p>All keys of one lock are declared to the scripts. A hand-over may meet a request for several locks, and then also
 * uses the keys of the other locks, which it derives from their lock keys. This requires a server that has all keys,
 * standalone or behind sentinels. A cluster therefore does not support several locks.
 *
 * <p>The scripts and the transactions read and write the same state. A waiter with keyspace notifications subscribes to
 * {@code __keyspace@database__:P:lock:{N}}, a channel of Redis itself.
 */
@NullMarked
package dev.baton.lock.redis;

import org.jspecify.annotations.NullMarked;
