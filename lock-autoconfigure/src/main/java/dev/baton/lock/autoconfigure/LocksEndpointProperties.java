package dev.baton.lock.autoconfigure;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The endpoint 'locks', beside what Boot configures of every endpoint. Immutable.
 *
 * @param showValues When whole names of locks are shown, keys included. Otherwise only their scopes are.
 * @param roles Who is authorized to see them. Empty: everybody who is authenticated.
 */
@ConfigurationProperties("management.endpoint.locks")
public record LocksEndpointProperties(
        @DefaultValue("never") Show showValues,
        @DefaultValue Set<String> roles) {}
