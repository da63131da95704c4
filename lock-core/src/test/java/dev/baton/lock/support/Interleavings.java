package dev.baton.lock.support;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs code of two threads in many interleavings of their steps, with Lincheck. Interleavings with few switches come
 * first, and every run has the same ones. A failure prints the steps that led to it.
 */
public final class Interleavings {

    /** The most interleavings of one meeting, unless the test sets another bound. */
    private static final int MOST = 200;

    /** How many times as many interleavings to run. */
    private static final int TIMES = Integer.getInteger("test.interleavings", 1);

    /** The longest time of one interleaving. A machine under load is slow, not stuck. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static @Nullable Supplier<Meeting> meetings;

    private Interleavings() {}

    /**
     * The actions of two threads on the same objects.
     *
     * @param before runs before the threads. Only this action may put objects into hash tables, because Lincheck
     *     changes the identity hash codes that the code of a meeting sees
     * @param first the action of the first thread
     * @param other the action of the other thread
     * @param afterwards checks the invariants after both threads
     */
    public record Meeting(Runnable before, Runnable first, Runnable other, Runnable afterwards) {

        public Meeting(Runnable first, Runnable other, Runnable afterwards) {
            this(() -> {}, first, other, afterwards);
        }

        void conclude() {
            afterwards.run();
        }
    }

    /**
     * Fails with the first interleaving after which a check fails.
     *
     * @param each creates the objects of one interleaving, and the meeting of these objects
     */
    public static void explore(Supplier<Meeting> each) {
        explore(MOST, each);
    }

    /**
     * Does the same as {@link #explore(Supplier)}, with another bound.
     *
     * @param most the most interleavings to run
     */
    public static void explore(int most, Supplier<Meeting> each) {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.baton");
        Level before = logger.getLevel();
        // the steps of a logger would multiply the interleavings
        logger.setLevel(Level.OFF);
        meetings = each;
        try {
            options(most * TIMES).check(Run.class);
        } finally {
            logger.setLevel(before);
        }
    }

    private static ModelCheckingOptions options(int most) {
        ExecutionScenario scenario = new ExecutionScenario(
                List.of(actor("before")),
                List.of(List.of(actor("first")), List.of(actor("other"))),
                List.of(),
                actor("afterwards"));
        return new ModelCheckingOptions()
                .iterations(0)
                .addCustomScenario(scenario)
                .invocationsPerIteration(most)
                .minimizeFailedScenario(false)
                .invocationTimeout$lincheck(PATIENCE.toMillis())
                // without this, Lincheck does not switch threads before these methods
                .addGuarantee(forClasses((String name) -> name.startsWith("java.util.concurrent.atomic."))
                        .methods("accumulateAndGet", "getAndAccumulate", "updateAndGet", "getAndUpdate")
                        .treatAsAtomic())
                // locks guard these, so only the steps of the locks matter
                .addGuarantee(forClasses(Interleavings::isPlainCollection)
                        .allMethods()
                        .ignore())
                .addGuarantee(forClasses(Meeting.class.getCanonicalName())
                        .methods("conclude")
                        .ignore());
    }

    private static boolean isPlainCollection(String className) {
        String root = "java.util.";
        return className.startsWith(root) && Character.isUpperCase(className.charAt(root.length()));
    }

    private static Actor actor(String name) {
        try {
            return new Actor(Run.class.getMethod(name), List.of());
        } catch (NoSuchMethodException ex) {
            throw new AssertionError(ex);
        }
    }

    /** One interleaving, as Lincheck creates and drives it. */
    public static final class Run {

        private final Meeting meeting = Objects.requireNonNull(meetings).get();
        private final @Nullable RuntimeException[] failures = new RuntimeException[3];

        @Operation
        public void before() {
            run(0, meeting.before());
        }

        @Operation
        public void first() {
            run(1, meeting.first());
        }

        @Operation
        public void other() {
            run(2, meeting.other());
        }

        /** Keeps an exception, because Lincheck accepts one that is also thrown without the other thread. */
        private void run(int part, Runnable action) {
            try {
                action.run();
            } catch (RuntimeException ex) {
                failures[part] = ex;
            }
        }

        @Validate
        public void afterwards() {
            for (RuntimeException failure : failures) {
                if (failure != null) {
                    throw failure;
                }
            }
            meeting.conclude();
        }
    }
}
