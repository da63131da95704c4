package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests what a user is told to do about each error of Redis, in the words of versions 6.2, 7 and later. */
class RedisErrorTests {

    private static final String SHA = "db8d8f6383e1a67ce23db65efd679a334c123806";
    /** What Redis 6 puts before the error of a script, and what Redis 7 puts behind it. */
    private static final String BEFORE =
            "ERR Error running script (call to f_" + SHA + "): @user_script:1: @user_script: 1: ";

    private static final String BEHIND = " script: " + SHA + ", on @user_script:1.";

    private static final String REPLICA =
            "This server is a replica. Connect to the primary: set spring.data.redis.host and spring.data.redis.port to it";
    private static final String CLUSTER = "This is a Redis Cluster. Name its servers in"
            + " spring.data.redis.cluster.nodes, instead of spring.data.redis.host";
    private static final String RIGHTS = "Give Redis user 'shop' the rights that Baton needs (ACL SETUSER): "
            + RedisRights.of("lock", LockHandler.AUTO, WaitStrategy.GRANT, false, false, false, false);

    enum Library {
        LETTUCE {
            @Override
            RedisConnectionFactory standalone(RedisStandaloneConfiguration where) {
                return new LettuceConnectionFactory(where);
            }

            @Override
            RedisConnectionFactory sentinels(RedisSentinelConfiguration where) {
                return new LettuceConnectionFactory(where);
            }
        },
        JEDIS {
            @Override
            RedisConnectionFactory standalone(RedisStandaloneConfiguration where) {
                return new JedisConnectionFactory(where);
            }

            @Override
            RedisConnectionFactory sentinels(RedisSentinelConfiguration where) {
                return new JedisConnectionFactory(where);
            }
        };

        abstract RedisConnectionFactory standalone(RedisStandaloneConfiguration where);

        abstract RedisConnectionFactory sentinels(RedisSentinelConfiguration where);
    }

    private static RedisFailures failures(RedisConnectionFactory factory) {
        return new RedisFailures(factory, "lock", LockHandler.AUTO, WaitStrategy.GRANT, false, false, false);
    }

    private static RedisFailures standalone(Library library) {
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration("cache-1", 6380);
        where.setDatabase(99);
        where.setUsername("shop");
        return failures(library.standalone(where));
    }

    private static RedisFailures sentinels(Library library) {
        return failures(library.sentinels(
                new RedisSentinelConfiguration().master("orders").sentinel("s-1", 26379)));
    }

    private static String remedy(StoreException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.substring(message.indexOf(". ") + 2);
    }

    /** Asserts the remedy, which is the same for both libraries, for an error of a command and of a script. */
    private static void assertRemedy(String error, boolean passing, String remedy) {
        for (Library library : Library.values()) {
            for (String said : new String[] {error, BEFORE + "-" + error, error + BEHIND}) {
                StoreException failure =
                        standalone(library).refused("acquire.lua", new IllegalStateException(said), true);
                assertThat(failure).as(said).matches(ex -> ex.isPassing() == passing);
                assertThat(remedy(failure)).as(said).isEqualTo(remedy);
            }
        }
    }

    @Test
    void messageSaysWhatRedisSaidAndWhatToDo() {
        assertThat(standalone(Library.LETTUCE)
                        .refused(
                                "acquire.lua",
                                new IllegalStateException(
                                        BEFORE + "-READONLY You can't write against a read only replica."),
                                true))
                .hasMessage(
                        "Redis at cache-1:6380 refused acquire.lua: READONLY You can't write against a read only replica. "
                                + REPLICA);
        assertThat(standalone(Library.JEDIS)
                        .refused(
                                "acquire.lua",
                                new IllegalStateException(
                                        "READONLY You can't write against a read only replica." + BEHIND),
                                true))
                .hasMessage(
                        "Redis at cache-1:6380 refused acquire.lua: READONLY You can't write against a read only replica. "
                                + REPLICA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."
            })
    void replica(String error) {
        assertRemedy(error, true, REPLICA);
    }

    @Test
    void outOfMemory() {
        assertRemedy(
                "OOM command not allowed when used memory > 'maxmemory'.",
                true,
                "Raise maxmemory, or remove other data. Keep maxmemory-policy noeviction, because Redis must not evict"
                        + " locks");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk",
                "MISCONF Errors writing to the AOF file: No space left on device"
            })
    void diskThatCannotBeWritten(String error) {
        assertRemedy(
                error,
                true,
                "Redis cannot write to its disk. Free disk space, or correct the rights of its directory (CONFIG GET dir);"
                        + " its log names the reason. Redis accepts writes again after the next successful save (BGSAVE)");
    }

    @Test
    void tooFewReplicas() {
        assertRemedy(
                "NOREPLICAS Not enough good replicas to write.",
                true,
                "Bring the replicas back (INFO replication), or lower min-replicas-to-write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to run the 'evalsha' command or its subcommand",
                "NOPERM User shop has no permissions to run the 'evalsha' command",
                "NOPERM No permissions to access a key",
                BEFORE + "The user executing the script can't run this command or subcommand",
                "ERR The user executing the script can't access at least one of the keys mentioned in the command",
                "ERR ACL failure in script: User shop has no permissions to run the 'zpopmin' command"
            })
    void missingRight(String error) {
        StoreException failure =
                standalone(Library.JEDIS).refused("acquire.lua", new IllegalStateException(error), true);
        assertThat(remedy(failure)).isEqualTo(RIGHTS);
        assertThat(failure).matches(ex -> !ex.isPassing());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CROSSSLOT Keys in request don't hash to the same slot",
                "MOVED 3999 127.0.0.1:6381",
                "ASK 3999 127.0.0.1:6381",
                "CLUSTERDOWN Hash slot not served",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "ERR SELECT is not allowed in cluster mode",
                "ERR Script attempted to access a non local key in a cluster node"
            })
    void nodeOfACluster(String error) {
        assertThat(RedisError.of(error)).isEqualTo(RedisError.CLUSTER);
        assertRemedy(error, false, CLUSTER);
    }

    @Test
    void serverOfNoCluster() {
        assertRemedy(
                "ERR This instance has cluster support disabled",
                false,
                "This server belongs to no Redis Cluster. Name it in spring.data.redis.host and spring.data.redis.port,"
                        + " instead of spring.data.redis.cluster.nodes");
    }

    @Test
    void serverThatLacksACommand() {
        assertRemedy(
                "Unknown Redis command called from Lua script",
                false,
                "Use Redis 6.2 or newer, with none of its commands renamed or disabled");
    }

    /** Errors of commands that are no scripts, and of connections. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOADING Redis is loading the dataset in memory | true | Wait until Redis has loaded its data",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE. | true"
                        + " | Another script blocks Redis: end it with SCRIPT KILL, and shorten it",
                "ERR max number of clients reached | true"
                        + " | Raise maxclients on the server, or open fewer connections",
                "NOAUTH Authentication required. | false"
                        + " | Set spring.data.redis.password, and spring.data.redis.username for an ACL user",
                "NOAUTH HELLO must be called with the client already authenticated, otherwise | false"
                        + " | Set spring.data.redis.password, and spring.data.redis.username for an ACL user",
                "WRONGPASS invalid username-password pair or user is disabled. | false"
                        + " | Correct spring.data.redis.password, and spring.data.redis.username for an ACL user",
                "ERR invalid password | false"
                        + " | Correct spring.data.redis.password, and spring.data.redis.username for an ACL user",
                "ERR AUTH <password> called without any password configured for the default user. | false"
                        + " | Remove spring.data.redis.password, or set a password on the server (requirepass)",
                "DENIED Redis is running in protected mode because protected mode is enabled | false"
                        + " | Set a password on the server (requirepass) and as spring.data.redis.password",
                "ERR DB index is out of range | false"
                        + " | Set spring.data.redis.database (now 99) to a database of the server: 0 to 15, unless its setting"
                        + " 'databases' says otherwise",
                "ERR unknown command 'EVALSHA', with args beginning with: 'abc' | false"
                        + " | Allow EVAL and EVALSHA on the server, or set baton.handler=transaction",
                "ERR unknown command `EVALSHA`, with args beginning with: `abc`, | false"
                        + " | Allow EVAL and EVALSHA on the server, or set baton.handler=transaction"
            })
    void connectionAndCommandAreRefusedWithTheSameRemedy(String error, boolean passing, String remedy) {
        for (Library library : Library.values()) {
            RedisFailures failures = standalone(library);
            StoreException command = failures.refused("acquire.lua", new IllegalStateException(error), true);
            StoreException connection =
                    failures.notReached(new IllegalStateException("wrapped", new IllegalStateException(error)), false);
            assertThat(command)
                    .hasMessageStartingWith("Redis at cache-1:6380 refused acquire.lua: ")
                    .hasMessageEndingWith(". " + remedy);
            assertThat(connection)
                    .hasMessageStartingWith("Redis at cache-1:6380 refused the connection: ")
                    .hasMessageEndingWith(". " + remedy)
                    .matches(StoreException::isUnexecuted);
            assertThat(command.isPassing()).isEqualTo(passing).isEqualTo(connection.isPassing());
        }
    }

    @ParameterizedTest
    @EnumSource
    void primaryIsThatOfTheSentinels(Library library) {
        assertThat(sentinels(library).refused("acquire.lua", new IllegalStateException("READONLY You can't"), true))
                .hasMessage(
                        "Redis at sentinels [s-1:26379] refused acquire.lua: READONLY You can't. This server is a replica."
                                + " Connect to the primary: wait for the failover to end, and check that the sentinels name the"
                                + " primary of 'orders' (SENTINEL GET-MASTER-ADDR-BY-NAME orders)");
        assertThat(sentinels(library).notReached(new IllegalStateException("NOAUTH Authentication required."), false))
                .hasMessage("Redis at sentinels [s-1:26379] refused the connection: NOAUTH Authentication required. Set"
                        + " spring.data.redis.password, and spring.data.redis.username for an ACL user; if the sentinels ask"
                        + " for a password, also spring.data.redis.sentinel.password");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection refused: localhost/127.0.0.1:6379",
                "Unable to connect to localhost/<unresolved>:6379",
                "Could not get a resource from the pool",
                "Unexpected end of stream.",
                "Command timed out after 1 minute(s)",
                "Read timed out",
                "not an SSL/TLS record: 2d455252"
            })
    void connectionThatFailedIsNoErrorOfRedis(String message) {
        assertThat(standalone(Library.LETTUCE).notReached(new IllegalStateException(message), true))
                .hasMessage("Redis at cache-1:6380 could not be asked (" + message
                        + "): check that it runs and that spring.data.redis.* names it")
                .matches(StoreException::isPassing);
    }

    @Test
    void otherErrorIsShownWithAGeneralRemedy() {
        assertRemedy(
                "ERR value is not an integer or out of range",
                false,
                "Check the rights of the user, and that no other program writes to Baton's keys");
    }

    @Test
    void keyOfAnotherTypeIsExplained() {
        assertRemedy(
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                false,
                "The key may be of storage format 1, and this process uses format 2: stop the processes of one version before"
                        + " those of the other acquire the same locks, or find the other program that wrote the key");
    }
}
