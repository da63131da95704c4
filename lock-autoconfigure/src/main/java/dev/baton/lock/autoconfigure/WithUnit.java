package dev.baton.lock.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a duration or wait time that must be written with its unit; {@link DurationBindHandler} checks the text. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@interface WithUnit {}
