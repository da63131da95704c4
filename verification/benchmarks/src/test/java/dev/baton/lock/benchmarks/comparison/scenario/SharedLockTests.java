package dev.baton.lock.benchmarks.comparison.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedLockTests {

    @Test
    void oneOfTwentyAcquisitionsIsThatOfAWriterWhoseWaitIsKept() throws InterruptedException {
        List<String> modes = new ArrayList<>();
        SharedLock.Mix mix = new SharedLock.Mix(
                new Contender() {

                    @Override
                    public Hold acquire(String name) {
                        modes.add("write " + name);
                        return () -> {};
                    }

                    @Override
                    public Hold acquireShared(String name) {
                        modes.add("read " + name);
                        return () -> {};
                    }
                },
                "a");
        for (int i = 0; i < 40_000; i++) {
            mix.acquire().release();
        }

        int writes = Collections.frequency(modes, "write a");
        // 2,000 with a standard deviation of 44
        assertThat(writes).isBetween(1_600, 2_400);
        assertThat(Collections.frequency(modes, "read a")).isEqualTo(40_000 - writes);
        assertThat(mix.waits())
                .hasSize(writes)
                .allSatisfy(micros -> assertThat(micros).isNotNegative());
    }
}
