package dev.baton.lock.redis.transaction;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * Another factory's configuration with other options, and its threads.
 *
 * @param like the configuration
 * @param factory whose threads to use
 * @param options the options
 */
record DedicatedClientConfiguration(
        LettuceClientConfiguration like, LettuceConnectionFactory factory, ClientOptions options)
        implements LettuceClientConfiguration {

    @Override
    public boolean isUseSsl() {
        return like.isUseSsl();
    }

    @Override
    @SuppressWarnings("deprecation") // has to be there
    public boolean isVerifyPeer() {
        return getVerifyMode() != SslVerifyMode.NONE;
    }

    @Override
    public SslVerifyMode getVerifyMode() {
        return like.getVerifyMode();
    }

    @Override
    public boolean isStartTls() {
        return like.isStartTls();
    }

    @Override
    public Optional<ClientResources> getClientResources() {
        AbstractRedisClient client = factory.getNativeClient();
        return client == null ? like.getClientResources() : Optional.of(client.getResources());
    }

    @Override
    public Optional<ClientOptions> getClientOptions() {
        return Optional.of(options);
    }

    @Override
    public Optional<String> getClientName() {
        return like.getClientName();
    }

    /** What is watched is where it is written. */
    @Override
    public Optional<ReadFrom> getReadFrom() {
        return Optional.empty();
    }

    @Override
    public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
        return like.getRedisCredentialsProviderFactory();
    }

    @Override
    public Duration getCommandTimeout() {
        return like.getCommandTimeout();
    }

    @Override
    public Duration getShutdownTimeout() {
        return Duration.ZERO;
    }

    @Override
    public Duration getShutdownQuietPeriod() {
        return Duration.ZERO;
    }
}
