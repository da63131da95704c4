package dev.baton.lock.redis.lettuce;

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
 * The configuration of another factory, with other options and the threads of that factory.
 *
 * @param like the configuration to follow
 * @param factory the factory whose threads are used
 * @param options the options to use instead
 */
public record DedicatedClientConfiguration(
        LettuceClientConfiguration like, LettuceConnectionFactory factory, ClientOptions options)
        implements LettuceClientConfiguration {

    @Override
    public boolean isUseSsl() {
        return like.isUseSsl();
    }

    @Override
    @SuppressWarnings("deprecation") // required by the interface
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

    /** Returns no preference: everything is read on the server on which it is written. */
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
