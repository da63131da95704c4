package dev.baton.lock.autoconfigure;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint 'locks', in addition to those that Spring Boot has for every endpoint. Immutable.
 *
 * @param showValues When whole names of locks are shown, including keys. Otherwise only their scopes are shown.
 * @param roles Roles of the users that are authorized to see whole names. If empty, every authenticated user is.
 */
@ConfigurationProperties("management.endpoint.locks")
public record LocksEndpointProperties(
        @DefaultValue("never") Show showValues,
        @DefaultValue Set<String> roles) {}
