package dev.baton.sample.fleet;

import java.time.Instant;
import java.util.Map;

/**
 * How many deployments each server has seen.
 *
 * @param builtBy the process that built it
 */
record Report(String name, Instant builtAt, long builtBy, Map<String, Long> deployments) {}
