package org.springframework.web.servlet.mvc.method.annotation;

/** Stands for Spring MVC's own, which lock-spring does not depend on. */
public interface StreamingResponseBody {}
