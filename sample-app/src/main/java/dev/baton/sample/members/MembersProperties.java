package dev.baton.sample.members;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which instance of how many this is. Set by {@code --fleet=3} and by the first instance for those it starts.
 *
 * @param number of this instance, from 1; the first starts the others and ends them
 * @param size how many there are
 * @param ports of all instances, by their number; empty: this is the first, which finds free ones
 */
@ConfigurationProperties("fleet.members")
public record MembersProperties(
        @DefaultValue("1") int number,
        @DefaultValue("1") int size,
        @DefaultValue List<Integer> ports) {

    /** Whether there are others. */
    public boolean several() {
        return size > 1;
    }
}
