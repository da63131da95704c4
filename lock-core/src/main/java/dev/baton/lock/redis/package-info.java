/**
 * The store on Redis. Only this package and those below it talk to Redis: {@code key} (names, failures, threads), {@code script} and
 * {@code transaction} (the two handlers), {@code pubsub} (messages), {@code lettuce} and {@code jedis} (the clients). Begin with
 * {@link dev.baton.lock.redis.RedisLockStore}.
 *
 * <p>State of lock name {@code N} under namespace {@code P} (a nested namespace is part of {@code P} except for fence and
 * inbox). {@code {N}} is the name in braces, or as it is if it has a hash tag of its own, so all keys of one name are in
 * one slot:
 *
 * <table>
 *   <caption>Storage</caption>
 *   <tr><th>key or channel</th><th>type</th><th>content</th><th>expiry</th></tr>
 *   <tr><td>{@code P:lock:{N}}</td><td>hash</td><td>mode, id (empty: kept for a while after its
 *       end), token, owner, label, since</td><td>the lease</td></tr>
 *   <tr><td>{@code P:queue:{N}}</td><td>sorted set</td><td>request id by arrival (us), the same in the
 *       queue of each lock that a request waits for</td><td>three rechecks, extended by
 *       every acquire</td></tr>
 *   <tr><td>{@code P:wait:{N}}</td><td>hash</td><td>request id: waiter record (JSON; of one for several
 *       locks with all lock keys, {@code names}, and until when it may be passed, {@code pass}; {@code reserve},
 *       how many tokens its grant keeps free); {@code seen}: last acquire
 *       (us)</td><td>as the queue; deleted with the last waiter</td></tr>
 *   <tr><td>{@code P:over:{N}:id}</td><td>string</td><td>the request has ended, although an acquire of it is
 *       unanswered; of several locks under the first</td><td>the longest that a command can be late</td></tr>
 *   <tr><td>{@code P:fence}</td><td>string</td><td>highest token given, or kept free for the
 *       process that holds the lock</td><td>none</td></tr>
 *   <tr><td>{@code P:inbox:sha1(instance)}</td><td>channel</td><td>{@code grant 1 id token lock-key}; for several locks
 *       {@code grant 2 id token}, then for each the bytes of its key and the key; {@code revoke 1 id token lock-key}</td><td></td></tr>
 * </table>
 *
 * <p>Of one lock all keys are declared to the scripts. A hand-over may meet a request for several locks and then also touches
 * the keys of the others, which it makes from their lock keys: that needs a server that has all keys, standalone or behind
 * sentinels, and is why several locks are not for a cluster.
 *
 * <p>The scripts and the transactions read and write the same state. Who waits by keyspace notifications subscribes to
 * {@code __keyspace@database__:P:lock:{N}}, which is Redis's own channel.
 */
@NullMarked
package dev.baton.lock.redis;

import org.jspecify.annotations.NullMarked;
