package dev.baton.lock.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.mutation.ScriptTestRun.Outcome;
import dev.baton.lock.redis.ScriptServer;
import dev.baton.lock.redis.ScriptTexts;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes the scripts at one place at a time, and asserts that a script test finds each change. Each subclass changes
 * its share of the places, in a JVM of its own.
 */
@Tag("mutation")
abstract class ScriptMutations {

    private static final int SHARES = 2;

    private static final Path SCRIPTS = Path.of("src", "main", "resources", "dev", "baton", "lock", "redis", "script");
    private static final Path ACCEPTED = Path.of("..", "verification", "mutation", "accepted.txt");

    /** A pattern of the scripts to change, as paths such as {@code lib/grant.lua}. By default, all scripts are changed. */
    private static final PathMatcher WHICH =
            FileSystems.getDefault().getPathMatcher("glob:" + System.getProperty("mutation.scripts", "**.lua"));

    /**
     * Whether accepted mutants are not tried. Each costs a run of all script tests, and only shows that its reason
     * still holds.
     */
    private static final boolean LEAVES_OUT_ACCEPTED = Boolean.getBoolean("mutation.unaccepted");

    private final ScriptTestRun run = new ScriptTestRun(ScriptTexts.testedBy());
    private final int share;

    /** @param share the number of this share, from 0 */
    ScriptMutations(int share) {
        this.share = share;
    }

    @AfterEach
    void restoreScripts() {
        ScriptTexts.restore();
    }

    @Test
    void everySurvivorHasItsReason() throws IOException {
        long start = System.nanoTime();
        Outcome unchanged = run.run();
        assertThat(unchanged.failed()).as("test that fails without any change").isEmpty();
        System.out.println("Unchanged, " + unchanged.passed() + " script tests pass in " + since(start));
        List<Path> files = files();
        assertThat(files).as("scripts in %s", SCRIPTS).isNotEmpty();
        Map<String, String> accepted = AcceptedSurvivors.read(ACCEPTED);
        Map<Mutant, String> mine = new LinkedHashMap<>();
        for (Path file : files) {
            String source = Files.readString(file);
            for (Mutant mutant : LuaMutations.of(name(file), source)) {
                if (isMine(file, mutant)) {
                    mine.put(mutant, source);
                } else {
                    accepted.remove(mutant.id());
                }
            }
        }
        MutationReport report = new MutationReport(accepted);
        mine.forEach((mutant, source) -> {
            if (LEAVES_OUT_ACCEPTED && report.isAccepted(mutant)) {
                report.leftOut(mutant);
            } else {
                killer(mutant, source)
                        .ifPresentOrElse(test -> report.killed(mutant, test), () -> report.survived(mutant));
            }
        });
        System.out.println(report + " in " + since(start));
        assertThat(report.complaints()).isEmpty();
    }

    private boolean isMine(Path file, Mutant mutant) {
        return WHICH.matches(SCRIPTS.relativize(file))
                && Math.floorMod(mutant.id().hashCode(), SHARES) == share;
    }

    private Optional<String> killer(Mutant mutant, String source) {
        ScriptTexts.replace(source, mutant.source());
        // throws for invalid Lua, with which every test would fail for the wrong reason
        ScriptTexts.all().forEach(script -> ScriptServer.redis().command("SCRIPT", "LOAD", script));
        return run.run().failed();
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Returns the path of a script below all scripts, such as {@code lib/grant.lua}. */
    private static String name(Path file) {
        return SCRIPTS.relativize(file).toString().replace('\\', '/');
    }

    private static String since(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms";
    }
}
