package dev.baton.lock.faults;

import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The same for a minute and a half each, or for as long as {@code test.topology.seconds} says. */
@Tag("nightly")
class LongTopologyFaultTests extends TopologyFaultTests {

    @Override
    Duration length() {
        return Duration.ofSeconds(Long.getLong("test.topology.seconds", 90));
    }
}
