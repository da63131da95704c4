/** Adapts Baton to Spring Boot 3.5, where some types have other names than in Spring Boot 4. */
@NullMarked
package dev.baton.lock.boot3;

import org.jspecify.annotations.NullMarked;
