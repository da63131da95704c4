package org.springframework.web.context.request.async;

/** Replaces the type of Spring MVC, on which lock-spring does not depend. */
public class DeferredResult<T> {}
