package dev.baton.lock.support;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** A connection factory, and how all its connections are closed. */
public record Connections(RedisConnectionFactory factory, Runnable end) {}
