/** Wires Baton into a Spring Boot application. */
@NullMarked
package dev.baton.lock.autoconfigure;

import org.jspecify.annotations.NullMarked;
