package dev.baton.lock.redis.key;

import java.util.regex.Pattern;

/**
 * The errors of Redis, and what to do about each. A constant is found by the words of the error, which are the same
 * over each client library. The order counts: the first match is taken. Pure.
 */
enum RedisError {
    LOADING(code("LOADING"), When.NOT_READY, "Wait until Redis has loaded its data"),
    BUSY(code("BUSY"), When.NOT_READY, "Another script blocks Redis: end it with SCRIPT KILL, and shorten it"),
    REPLICA(code("READONLY|MASTERDOWN"), When.NOT_READY, "This server is a replica. Connect to the primary: {primary}"),
    TOO_FEW_REPLICAS(
            code("NOREPLICAS"),
            When.NOT_READY,
            "Bring the replicas back (INFO replication), or lower min-replicas-to-write"),
    NOT_SAVED(
            code("MISCONF"),
            When.NOT_READY,
            "Redis cannot write to its disk. Free disk space, or correct the rights of its directory (CONFIG GET"
                    + " dir); its log names the reason. Redis accepts writes again after the next successful save"
                    + " (BGSAVE)"),
    NO_MEMORY(
            code("OOM"),
            When.NOT_READY,
            "Raise maxmemory, or remove other data. Keep maxmemory-policy noeviction, because Redis must not"
                    + " evict locks"),
    TOO_MANY_CLIENTS(
            text("max number of clients reached"),
            When.NOT_READY,
            "Raise maxclients on the server, or open fewer connections"),
    NO_PASSWORD(
            code("NOAUTH"),
            When.REFUSED,
            "Set spring.data.redis.password, and spring.data.redis.username for an ACL user{sentinels}"),
    WRONG_PASSWORD(
            text("^WRONGPASS |^ERR invalid password"),
            When.REFUSED,
            "Correct spring.data.redis.password, and spring.data.redis.username for an ACL user{sentinels}"),
    UNEXPECTED_PASSWORD(
            text("called without any password configured|no password is set"),
            When.REFUSED,
            "Remove spring.data.redis.password, or set a password on the server (requirepass)"),
    PROTECTED(
            code("DENIED"),
            When.REFUSED,
            "Set a password on the server (requirepass) and as spring.data.redis.password"),
    NO_SUCH_DATABASE(
            text("DB index is out of range|invalid DB index"),
            When.REFUSED,
            "Set spring.data.redis.database (now {database}) to a database of the server: 0 to 15, unless its setting"
                    + " 'databases' says otherwise"),
    NO_RIGHT(
            text("(^|-)NOPERM |^ERR ACL failure in script|The user executing the script can't"),
            When.REFUSED,
            "Give Redis user '{user}' the rights that Baton needs (ACL SETUSER): {rights}"),
    CLUSTER(
            text("(^|-)(CROSSSLOT|MOVED|ASK|CLUSTERDOWN|TRYAGAIN) |not allowed in cluster mode|in a cluster node"),
            When.REFUSED,
            "This is a Redis Cluster. Name its servers in spring.data.redis.cluster.nodes, instead of"
                    + " spring.data.redis.host"),
    NO_CLUSTER(
            text("cluster support disabled"),
            When.REFUSED,
            "This server belongs to no Redis Cluster. Name it in spring.data.redis.host and spring.data.redis.port,"
                    + " instead of spring.data.redis.cluster.nodes"),
    NO_SCRIPTS(
            text("(?i)^ERR unknown command ['`]eval(sha)?\\b"),
            When.REFUSED,
            "Allow EVAL and EVALSHA on the server, or set baton.handler=transaction"),
    UNKNOWN_COMMAND(
            text("(?i)unknown redis command called from|wrong number of args calling redis|^ERR unknown command"),
            When.REFUSED,
            "Use Redis 6.2 or newer, with none of its commands renamed or disabled"),
    /** A key of another type than Baton's. The first format stored a lock as a hash. */
    OTHER_TYPE(
            text("\\bWRONGTYPE "),
            When.REFUSED,
            "The key may be of " + StoredTexts.inFirstFormat() + ", or find the other program that wrote the key"),
    OTHER(text(""), When.REFUSED, "Check the rights of the user, and that no other program writes to Baton's keys");

    /** What an error says about later attempts. */
    private enum When {
        /** The server is not ready now, but may be soon. Such an error comes before anything is changed. */
        NOT_READY,
        /** Another attempt would fail as well. */
        REFUSED
    }

    /** Matches what Redis 6 puts before the error of a script. */
    private static final Pattern BEFORE =
            Pattern.compile("^ERR Error running script \\(call to f_[0-9a-f]{40}\\): (@user_script: ?[0-9]+: )*-?");

    /** Matches what Redis 7 puts behind the error of a script. */
    private static final Pattern BEHIND = Pattern.compile(" script: [0-9a-f]{40}, on @user_script:[0-9]+\\.?$");

    private static final Pattern STOP = Pattern.compile("[\\s.,]+$");

    private final Pattern words;
    private final When when;
    private final String remedy;

    /**
     * Creates a row.
     *
     * @param remedy what to do, without a full stop; {@link #remedy(RedisTarget)} fills in the words in braces
     */
    RedisError(Pattern words, When when, String remedy) {
        this.words = words;
        this.when = when;
        this.remedy = remedy;
    }

    /** Returns the error with this message, {@link #OTHER} if it is none of the others. */
    static RedisError of(String message) {
        for (RedisError error : values()) {
            if (error.words.matcher(message).find()) {
                return error;
            }
        }
        return OTHER;
    }

    /** Returns whether the server is not ready now, but may be soon; it has changed nothing then. */
    boolean isPassing() {
        return when == When.NOT_READY;
    }

    /** Returns what an operator or a developer is to do, as a sentence without its full stop. */
    String remedy(RedisTarget target) {
        return remedy.replace("{primary}", primary(target))
                .replace("{sentinels}", sentinels(target))
                .replace("{database}", Integer.toString(target.database()))
                .replace("{user}", target.user())
                .replace("{rights}", target.rights());
    }

    /** Returns the message for people: without the place in a script, and without the full stop. */
    static String shown(String message) {
        String said = BEHIND.matcher(BEFORE.matcher(message).replaceFirst("")).replaceFirst("");
        return STOP.matcher(said).replaceFirst("");
    }

    /** Matches an error by its first word. Redis 6 puts other words and a hyphen before the error of a script. */
    private static Pattern code(String codes) {
        return text("(^|-)(" + codes + ") ");
    }

    private static Pattern text(String regex) {
        return Pattern.compile(regex);
    }

    private static String primary(RedisTarget target) {
        String name = target.sentinels();
        if (target.cluster()) {
            return "wait for the failover to end (CLUSTER SLOTS)";
        }
        return name == null
                ? "set spring.data.redis.host and spring.data.redis.port to it"
                : "wait for the failover to end, and check that the sentinels name the primary of '" + name
                        + "' (SENTINEL GET-MASTER-ADDR-BY-NAME " + name + ")";
    }

    private static String sentinels(RedisTarget target) {
        return target.sentinels() == null
                ? ""
                : "; if the sentinels ask for a password, also spring.data.redis.sentinel.password";
    }
}
