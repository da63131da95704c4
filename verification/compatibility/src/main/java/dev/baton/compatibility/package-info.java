/** A small application that is compiled and run on each supported line of Spring Boot. Not published. */
@NullMarked
package dev.baton.compatibility;

import org.jspecify.annotations.NullMarked;
