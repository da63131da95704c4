package dev.baton.lock.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Extends {@link LocksEndpoint} over HTTP, where the user that asks is known. */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
@SuppressWarnings({"deprecation", "removal"}) // Spring Boot 3.5 knows an optional parameter by that annotation only
public final class LocksEndpointWebExtension {

    private final LocksEndpoint endpoint;

    public LocksEndpointWebExtension(LocksEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** See {@link LocksEndpoint#locks(String, String)}. */
    @ReadOperation
    public OperationResponseBody locks(
            SecurityContext security,
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String cursor) {
        return endpoint.locks(scope, cursor, security);
    }

    /** See {@link LocksEndpoint#forceRelease(String, String, Boolean)}. */
    @DeleteOperation
    public LockReports.Released forceRelease(
            SecurityContext security,
            @Selector String name,
            @org.springframework.lang.Nullable @Nullable String namespace,
            @org.springframework.lang.Nullable @Nullable Boolean semaphore) {
        return endpoint.forceRelease(name, namespace, semaphore, security);
    }
}
