package org.springframework.web.servlet.mvc.method.annotation;

/** Replaces the type of Spring MVC, on which lock-spring does not depend. */
public interface StreamingResponseBody {}
