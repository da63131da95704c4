package dev.baton.sample.fleet;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long the simulated work takes.
 *
 * @param deployTime of a deployment
 * @param rebootTime of a reboot
 * @param reportTime of building the report
 * @param reportValid how long a built report is good for
 */
@ConfigurationProperties("fleet")
record FleetProperties(
        @DefaultValue("2s") Duration deployTime,
        @DefaultValue("1s") Duration rebootTime,
        @DefaultValue("1s") Duration reportTime,
        @DefaultValue("5s") Duration reportValid) {}
