package dev.baton.lock.redis.pubsub;

import dev.baton.lock.redis.key.RedisFailures;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Configures Redis to report changes of keys: adds the missing flags to {@code notify-keyspace-events}, and removes
 * none. Runs whenever the subscription becomes active, because a restarted Redis has forgotten the flags.
 */
public final class KeyspaceSettings {

    private static final Logger log = LoggerFactory.getLogger(KeyspaceSettings.class);

    private static final String PARAMETER = "notify-keyspace-events";

    private final RedisConnectionFactory factory;
    private final RedisFailures failures;
    private final Executor executor;
    private final AtomicBoolean told = new AtomicBoolean();

    public KeyspaceSettings(RedisConnectionFactory factory, RedisFailures failures, Executor executor) {
        this.factory = factory;
        this.failures = failures;
        this.executor = executor;
    }

    /** Begins the configuration, on a thread of the store. */
    void apply() {
        try {
            executor.execute(this::configure);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; {} is left as it is", PARAMETER);
        }
    }

    private void configure() {
        try (RedisConnection connection = factory.getConnection()) {
            var known = connection.serverCommands().getConfig(PARAMETER);
            String present = known == null ? "" : known.getProperty(PARAMETER, "");
            String wanted = with(present);
            if (!wanted.equals(present)) {
                connection.serverCommands().setConfig(PARAMETER, wanted);
                log.info("Set {} of Redis at {} from '{}' to '{}'", PARAMETER, failures.address(), present, wanted);
            }
        } catch (RedisConnectionFailureException | QueryTimeoutException ex) {
            log.debug("{} could not be set, next try after the next subscription", PARAMETER, ex);
        } catch (RuntimeException ex) {
            refused(ex);
        }
    }

    private void refused(RuntimeException ex) {
        String message =
                "Redis at {} refused CONFIG ({}): unless its {} already contains K, g and x, waiters find a free lock only"
                        + " by asking again (baton.recheck). Set it there, and set baton.keyspace.configure to false";
        if (told.compareAndSet(false, true)) {
            log.warn(message, failures.address(), RedisFailures.rootMessage(ex), PARAMETER);
        } else {
            log.debug(message, failures.address(), RedisFailures.rootMessage(ex), PARAMETER);
        }
    }

    /**
     * Returns the flags, with the missing ones of {@code Kgx}. {@code A} includes {@code g} and {@code x}, among
     * others.
     */
    static String with(String flags) {
        StringBuilder wanted = new StringBuilder(flags);
        if (flags.indexOf('K') < 0) {
            wanted.append('K');
        }
        for (char kind : new char[] {'g', 'x'}) {
            if (flags.indexOf(kind) < 0 && flags.indexOf('A') < 0) {
                wanted.append(kind);
            }
        }
        return wanted.toString();
    }
}
