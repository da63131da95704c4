package dev.baton.lock.redis.key;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Creates exceptions that say what went wrong with Redis, where Redis is, and what to do. */
public final class RedisFailures {

    private static final Pattern SCRIPTS_REFUSED =
            Pattern.compile("(?i)^(NOPERM|ERR unknown command)\\b.*['`]eval(sha)?\\b");

    /** Matches the error of a script that found a lock in another storage format. */
    private static final Pattern OTHER_FORMAT = Pattern.compile("storage format (\\w+) of (lock \\S+)");

    /** Matches the errors by which a server of a cluster refuses a whole command, for now. */
    private static final Pattern MOVING = Pattern.compile("(^|-)(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) ");

    /** Matches the error by which a server of a cluster names the master of a slot. */
    private static final Pattern MOVED_TO = Pattern.compile("(?:^|-)MOVED \\d+ (\\S+)");

    /** Matches the errors by which a server of a cluster refuses a command in the middle of a script, for now. */
    private static final Pattern MOVING_BELOW =
            Pattern.compile("non local key in a cluster node|while the cluster is down");

    private final RedisConnectionFactory factory;
    private final String rights;

    /**
     * Creates the failures of a store with these settings.
     *
     * @param root the first part of every key and channel
     * @param configures whether the store may change {@code notify-keyspace-events}
     */
    public RedisFailures(
            RedisConnectionFactory factory,
            String root,
            LockHandler handler,
            WaitStrategy strategy,
            boolean configures) {
        this(factory, root, handler, strategy, configures, false, false);
    }

    /**
     * Creates the failures of a store with these settings.
     *
     * @param acknowledged whether replicas have to acknowledge grants
     * @param pausing whether grants pause after a change of the primary
     */
    public RedisFailures(
            RedisConnectionFactory factory,
            String root,
            LockHandler handler,
            WaitStrategy strategy,
            boolean configures,
            boolean acknowledged,
            boolean pausing) {
        this(factory, RedisRights.of(root, handler, strategy, configures, isCluster(factory), acknowledged, pausing));
    }

    private RedisFailures(RedisConnectionFactory factory, String rights) {
        this.factory = factory;
        this.rights = rights;
    }

    private static boolean isCluster(RedisConnectionFactory factory) {
        return RedisTarget.of(factory, "").cluster();
    }

    /** Returns the failures of one server of the cluster, which another factory connects to. */
    public RedisFailures at(RedisConnectionFactory server) {
        return new RedisFailures(server, rights);
    }

    public StoreException stopped() {
        return new StoreException(
                "the lock store is stopped; the application is shutting down, or start() is missing",
                false,
                true,
                null);
    }

    /**
     * Returns the failure of a command that timed out.
     *
     * @param what the script or the transaction
     * @param sent whether Redis may have received the command
     */
    public StoreException noAnswer(String what, long timeoutNanos, boolean sent) {
        return new StoreException(
                "Redis at " + address() + " did not answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms (" + what + "): check that it runs and that spring.data.redis.* names it;"
                        + " baton.command-timeout bounds one command",
                true,
                !sent,
                null);
    }

    /**
     * Returns the failure of a command that Redis answered with an error. An error that says that Redis is not ready
     * comes before anything is changed. Any other error may come in the middle of a script, which Redis does not undo.
     *
     * @param what the script or the transaction
     * @param once whether the command was sent only once
     */
    public StoreException refused(String what, Throwable cause, boolean once) {
        String said = rootMessage(cause);
        Matcher format = OTHER_FORMAT.matcher(said);
        if (format.find()) {
            return otherFormat(what, format.group(2), format.group(1), cause);
        }
        RedisError error = RedisError.of(said);
        return new StoreException(refusal(what, said, error), error.isPassing(), error.isPassing() && once, cause);
    }

    private String refusal(String what, String said, RedisError error) {
        RedisTarget target = target();
        return "Redis at " + target.address() + " refused " + what + ": " + RedisError.shown(said) + ". "
                + error.remedy(target);
    }

    private StoreException otherFormat(String what, String lock, String version, Throwable cause) {
        return new StoreException(
                "Redis at " + address() + " refused " + what + ": " + lock + " " + StoredTexts.hasOtherFormat(version),
                false,
                cause);
    }

    /**
     * Returns the failure of a command without an answer. Redis may have refused the connection with an error.
     *
     * @param sent whether Redis may have received the command
     */
    public StoreException notReached(Throwable cause, boolean sent) {
        if (cause instanceof StoreException known) {
            return known;
        }
        String said = rootMessage(cause);
        RedisError error = RedisError.of(said);
        if (error != RedisError.OTHER) {
            return new StoreException(refusal("the connection", said, error), error.isPassing(), !sent, cause);
        }
        return new StoreException(
                "Redis at " + address() + " could not be asked (" + said
                        + "): check that it runs and that spring.data.redis.* names it",
                true,
                !sent,
                cause);
    }

    /** Returns the failure of a command for a server whose version is too old; the command was not sent. */
    StoreException tooOld(String version) {
        return new StoreException(
                "Redis " + version + " at " + address() + " is too old: Baton needs Redis " + ServerCheck.OLDEST
                        + " or newer. Upgrade the server, or connect to a newer one (spring.data.redis.*)",
                false,
                true,
                null);
    }

    /** Returns the failure of a command that finds neither a free thread nor room to wait for one. */
    public StoreException tooMany(String what, int waiting) {
        return new StoreException(
                "Redis at " + address() + " could not be asked (" + what + "): " + waiting
                        + " commands are already waiting for a connection; check that Redis is fast enough, and that the pool"
                        + " (spring.data.redis.jedis.pool.*) is large enough",
                true,
                true,
                null);
    }

    /**
     * Returns whether a server of a cluster refused a command because a slot moves, has moved, or has no master. The
     * command may be sent again.
     */
    public static boolean isMoving(Throwable failure) {
        String said = rootMessage(failure);
        return MOVING.matcher(said).find() || MOVING_BELOW.matcher(said).find();
    }

    /** Returns the address of the master that a refusal names, as {@code host:port}, or {@code null} if it names none. */
    public static @Nullable String movedTo(Throwable failure) {
        Matcher moved = MOVED_TO.matcher(rootMessage(failure));
        return moved.find() ? moved.group(1) : null;
    }

    /**
     * Returns the failure of a command that the servers of a cluster refused until its time was over.
     *
     * @param last the last refusal
     */
    public StoreException moving(String what, long timeoutNanos, Throwable last) {
        String said = rootMessage(last);
        return new StoreException(
                "Redis Cluster at " + address() + " did not carry out " + what + " within "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms: " + RedisError.shown(said)
                        + ". A slot moves between masters, or has none: check CLUSTER INFO and CLUSTER SLOTS;"
                        + " baton.command-timeout bounds one command",
                true,
                !MOVING_BELOW.matcher(said).find(),
                last);
    }

    /** Returns the failure of a command for a cluster of which no server has told its slots. */
    public StoreException unknownSlots(@Nullable Throwable cause) {
        return cause == null
                ? new StoreException(
                        "Redis Cluster at " + address() + " has not told which master has which slot (CLUSTER SLOTS)"
                                + " yet: check that its servers run and that spring.data.redis.cluster.nodes names them",
                        true,
                        true,
                        null)
                : notReached(cause, false);
    }

    /**
     * Returns the failure of a grant that does not count, because the primary was replaced or restarted a moment ago.
     *
     * @param remaining milliseconds until grants count
     */
    public StoreException newPrimary(long remaining) {
        return new StoreException(
                "Redis at " + address() + " has a new primary, or has started again: its grants count in " + remaining
                        + " ms, when no lease of before can last (baton.failover: wait)",
                true,
                null);
    }

    /** Returns the failure of a command that other clients disturbed in every attempt. */
    public StoreException contended(String name, int attempts) {
        return new StoreException(
                "lock '" + name + "' in Redis at " + address() + " was changed by other clients during each of "
                        + attempts
                        + " transactions; use baton.handler: script, which runs as one command, or let fewer processes"
                        + " contend for it",
                true,
                null);
    }

    /**
     * Returns whether Redis runs no scripts for this user, for lack of rights or because the command does not exist.
     */
    public static boolean areScriptsRefused(Throwable failure) {
        return SCRIPTS_REFUSED.matcher(rootMessage(failure)).find();
    }

    /** Returns the message of the root cause, or the name of its class if it has no message. */
    public static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Returns the address for people; with several servers, the ones that the application configured. */
    public String address() {
        return target().address();
    }

    private RedisTarget target() {
        return RedisTarget.of(factory, rights);
    }
}
