/** Auto-configuration of Baton in a Spring Boot application. */
@NullMarked
package dev.baton.lock.autoconfigure;

import org.jspecify.annotations.NullMarked;
