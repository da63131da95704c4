/** What Spring Boot 3.5 needs of its own: types that have other names in Spring Boot 4. */
@NullMarked
package dev.baton.lock.boot3;

import org.jspecify.annotations.NullMarked;
