package dev.baton.lock.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.baton.lock.harness.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes a script against each property of shared locks, conditions and permits, and asserts that the test of the property
 * fails. Each test runs in a JVM of its own, whose class path begins with the changed script.
 */
@Tag("nightly")
class PropertyMutationTests {

    private static final Duration BOUND = Duration.ofMinutes(5);
    /** How often a test may miss a change: its commands are random. */
    private static final int RUNS = 4;

    private static final Path SCRIPTS = Path.of("src", "main", "resources", "dev", "baton", "lock", "redis", "script");

    @TempDir
    Path folder;

    /**
     * A change of a script.
     *
     * @param test the test of the property, as {@link PropertyProcess} reads it
     */
    private record Planted(String property, String test, String script, String from, String to) {}

    private static final List<Planted> ALL = List.of(
            new Planted(
                    "R1 no writer overlaps anyone",
                    "dev.baton.lock.test.SharedPropertiesTests#noWriterOverlapsAnyHolder",
                    "lib/queue.lua",
                    "held.mode == 's' and mode_of(waiter, lock) == 's'",
                    "held.mode == 's'"),
            new Planted(
                    "R2 never idle while the first reachable waiter fits",
                    "dev.baton.lock.test.SharedPropertiesTests#lockIsNeverIdleWhileItsFirstReachableWaiterFits",
                    "lib/queue.lua",
                    "if not is_shared(turn, name.lock) then\n            return chosen, gone, nil",
                    "if true then\n            return chosen, gone, nil"),
            new Planted(
                    "R3 the token of a run is constant",
                    "dev.baton.lock.test.SharedPropertiesTests#readersOfARunHaveOneTokenAndLaterHoldersGreaterOnes",
                    "lib/queue.lua",
                    "return #locks == 1 and look(turn, locks[1]) and look(turn, locks[1]).token or turn.number",
                    "return turn.number"),
            new Planted(
                    "R4 the lock ends with its last reader",
                    "dev.baton.lock.redis.SharedScriptTests#lockExpiresWithItsLastReader",
                    "lib/run.lua",
                    "local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]",
                    "local last = redis.call('ZRANGE', readers, 0, 0, 'WITHSCORES')[2]"),
            new Planted(
                    "R5 no newcomer passes a queued writer",
                    "dev.baton.lock.test.SharedPropertiesTests#noNewcomerPassesAWriterThatWaits",
                    "lib/queue.lua",
                    "elseif not passable(turn, name, waiter) then\n          return chosen, gone, 'kept'",
                    "elseif false then\n          return chosen, gone, 'kept'"),
            new Planted(
                    "C1 signals are conserved",
                    "dev.baton.lock.test.ConditionPropertyTests#c1SignalsAreConserved(java.util.List)",
                    "lib/queue.lua",
                    "    stand(name.queue, waiter.record, false, turn.now)\n  end\n  keep_alive",
                    "  end\n  keep_alive"),
            new Planted(
                    "C2 a wait hands the lock over in the same step",
                    "dev.baton.lock.test.ConditionPropertyTests#c2AwaitHandsTheLockOverInTheSameStep(java.util.List)",
                    "await.lua",
                    "local chosen, why = hand_over(turn, name)",
                    "local chosen, why = {}, nil"),
            new Planted(
                    "C3 no wake-up is lost with the data",
                    "dev.baton.lock.test.ConditionPropertyTests#c3NoWakeUpIsLostWithTheData(java.util.List)",
                    "acquire.lua",
                    "if awaits and came and born and tonumber(came) >= born then",
                    "if awaits then"),
            new Planted(
                    "C4 either the signal or the time-out comes first",
                    "dev.baton.lock.test.ConditionPropertyTests#c4EitherTheSignalOrTheTimeOutComesFirst(java.util.List)",
                    "acquire.lua",
                    "    return 'signalled'\n  end\n  one.record",
                    "    return 'asks'\n  end\n  one.record"),
            new Planted(
                    "C5 conditions do not mix",
                    "dev.baton.lock.test.ConditionPropertyTests#c5ConditionsDoNotMix(java.util.List)",
                    "lib/queue.lua",
                    "return { queue = list .. ':' .. condition, wait",
                    "return { queue = list .. ':one', wait"),
            new Planted(
                    "P1 no more permits are in use than there are",
                    "dev.baton.lock.test.PermitPropertiesTests#sameStepsHaveTheSameOutcomeOnRedisAndInMemory(java.util.List)",
                    "lib/queue.lua",
                    "waiter.count <= vacant(turn, lock, waiter.size)",
                    "waiter.count <= vacant(turn, lock, waiter.size) + 1"),
            new Planted(
                    "P2 a crash gives permits back",
                    "dev.baton.lock.test.PermitPropertiesTests#sameStepsHaveTheSameOutcomeOnRedisAndInMemory(java.util.List)",
                    "lib/run.lua",
                    "    use(lock, -permits_of(redis.call('HMGET', reader, id)[1]))",
                    "    use(lock, 0)"),
            new Planted(
                    "P3 a large request is passed for its patience only",
                    "dev.baton.lock.test.PermitPropertiesTests#sameStepsHaveTheSameOutcomeOnRedisAndInMemory(java.util.List)",
                    "lib/queue.lua",
                    "waiter.pass > 0 and waiter.arrival + waiter.pass * 1000 > turn.now",
                    "waiter.pass > 0"),
            new Planted(
                    "P4 the smallest size counts",
                    "dev.baton.lock.test.PermitPropertiesTests#sameStepsHaveTheSameOutcomeOnRedisAndInMemory(java.util.List)",
                    "lib/run.lua",
                    "least = math.min(least or size, size)",
                    "least = math.max(least or size, size)"));

    @TestFactory
    Stream<DynamicTest> changeFailsTheTestOfItsProperty() {
        return ALL.stream()
                .map(planted -> dynamicTest(
                        planted.property, () -> assertThat(outcome(planted)).startsWith("failed")));
    }

    /** A test that failed without a change would show nothing. */
    @TestFactory
    Stream<DynamicTest> unchangedScriptPassesTheTest() {
        return ALL.stream()
                .map(Planted::test)
                .distinct()
                .map(test ->
                        dynamicTest(test, () -> assertThat(run(folder, test)).startsWith("passed")));
    }

    private String outcome(Planted planted) throws IOException {
        String source = Files.readString(SCRIPTS.resolve(planted.script));
        assertThat(source).as(planted.script).containsOnlyOnce(planted.from);
        Path classes = folder.resolve(planted.property);
        Path changed = classes.resolve("dev/baton/lock/redis/script").resolve(planted.script);
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, source.replace(planted.from, planted.to));
        String outcome = "";
        for (int i = 0; i < RUNS && !outcome.startsWith("failed"); i++) {
            outcome = run(classes, planted.test);
        }
        return outcome;
    }

    private static String run(Path classes, String test) {
        String path = classes + File.pathSeparator + System.getProperty("java.class.path");
        try (JavaProcess process = JavaProcess.start(List.of("-cp", path), PropertyProcess.class, test)) {
            return process.awaitLine(PropertyProcess.OUTCOME, BOUND).substring(PropertyProcess.OUTCOME.length());
        }
    }
}
