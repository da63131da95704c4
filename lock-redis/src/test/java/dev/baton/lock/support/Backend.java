package dev.baton.lock.support;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.DocumentedCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Over which client, and in which database, the locks of a test are kept. */
public record Backend(Client client, int database) {

    /** The Redis user that applications are: with the rights that docs/operations.md lists, and no others. */
    public static final String USER = "baton";

    public static final Backend LETTUCE = new Backend(Client.LETTUCE, 0);

    /** Each client and each database, once. */
    public static List<Backend> diagonal() {
        return inMode(List.of(LETTUCE, new Backend(Client.JEDIS, 1)));
    }

    /** Each client with each database. */
    public static List<Backend> all() {
        return inMode(List.of(
                LETTUCE, new Backend(Client.LETTUCE, 1), new Backend(Client.JEDIS, 0), new Backend(Client.JEDIS, 1)));
    }

    /** Over Jedis releases are never pipelined, and have been looked at. */
    private static List<Backend> inMode(List<Backend> backends) {
        return PipelinedMode.isOn()
                ? backends.stream()
                        .filter(backend -> backend.client == Client.LETTUCE)
                        .toList()
                : backends;
    }

    /** A server of its own that knows the user, also after a restart; observed where the locks are. */
    public TestRedis startRedis() {
        TestRedis redis = TestRedis.start("user " + USER + " " + String.join(" ", rules(DocumentedCommands.needed())));
        redis.observe(database);
        return redis;
    }

    /** A server whose user may do anything: for what needs other rights than scripts do. */
    public TestRedis startOpenRedis(String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = "user " + USER + " on >" + USER + " ~* &* +@all";
        TestRedis redis = TestRedis.start(all);
        redis.observe(database);
        return redis;
    }

    /** Creates the user, or gives it these commands and takes all others away. */
    public static void allow(RedisView redis, List<String> commands) {
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset"));
        words.addAll(rules(commands));
        redis.command(words.toArray(String[]::new));
    }

    /** Connects as the user. */
    public Connections connect(String host, int port) {
        return connect(host, port, USER);
    }

    /** Connects as another user, whose password is its name. */
    public Connections connect(String host, int port, String user) {
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(host, port);
        where.setDatabase(database);
        where.setUsername(user);
        where.setPassword(user);
        return client.connect(where);
    }

    private static List<String> rules(List<String> commands) {
        List<String> rules = new ArrayList<>(List.of("on", ">" + USER, "~lock:*", "resetchannels", "&lock:*"));
        rules.addAll(List.of(DocumentedCommands.rules(commands).split(" ")));
        return rules;
    }

    @Override
    public String toString() {
        return client.name().toLowerCase(Locale.ROOT) + "/" + database;
    }
}
