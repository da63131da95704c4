package dev.baton.sample.fleet;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Deployments and reboots that start without a request, so that there is something to see.
 *
 * @param perSecond how many this instance begins, 0 to {@value #MOST_PER_SECOND}; 0: none; null: 1 with {@code --fleet}, else
 *     none
 * @param servers on how many servers, {@code server-1} and so on, 1 to {@value #MOST_SERVERS}
 * @param atATime how many of this instance are under way at most, those that wait for a lock included, 1 to
 *     {@value #MOST_AT_A_TIME}; what would be one more is left out
 */
@ConfigurationProperties("fleet.traffic")
record TrafficProperties(
        @Nullable Double perSecond,
        @DefaultValue("4") int servers,
        @DefaultValue("4") int atATime) {

    private static final int MOST_PER_SECOND = 50;
    private static final int MOST_SERVERS = 100;
    private static final int MOST_AT_A_TIME = 50;

    TrafficProperties {
        check("per-second", perSecond == null ? 0 : perSecond, 0, MOST_PER_SECOND);
        check("servers", servers, 1, MOST_SERVERS);
        check("at-a-time", atATime, 1, MOST_AT_A_TIME);
    }

    private static void check(String name, double value, int least, int most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException("fleet.traffic." + name + "=" + value + " is not from " + least + " to "
                    + most + "; set it to a value in that range");
        }
    }

    double rate(boolean severalInstances) {
        return perSecond != null ? perSecond : severalInstances ? 1 : 0;
    }
}
