package org.springframework.web.context.request.async;

/** Stands for Spring MVC's own, which lock-spring does not depend on. */
public class DeferredResult<T> {}
