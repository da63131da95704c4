package dev.baton.lock.observation;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockListener.Ended.Reason;
import dev.baton.lock.LockMode;
import dev.baton.lock.support.CurrentLocks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one value of the tag {@code scope} and one of the tag {@code mode}. */
final class ScopeMeters {

    /** The outcomes that a dashboard or an alert asks for. */
    private static final List<String> USUAL_OUTCOMES =
            List.of("granted", "timeout", LockMeter.outcome(Reason.DEADLOCK), LockMeter.outcome(Reason.STORE_ERROR));

    final CurrentLocks current = new CurrentLocks();
    final Timer wait;
    final Timer hold;
    final Counter lost;
    final Counter stolen;
    final Counter rechecks;
    private final Map<LockListener.HandOver, Counter> handOvers = new EnumMap<>(LockListener.HandOver.class);
    private final Map<String, Counter> outcomes = new ConcurrentHashMap<>();
    /** Counter of the most frequent outcome; {@code null} before the first grant. */
    private volatile @Nullable Counter granted;

    private final MeterRegistry registry;
    private final Tags tags;

    ScopeMeters(MeterRegistry registry, String scope, LockMode mode, boolean histogram) {
        this.registry = registry;
        this.tags = Tags.of(
                LockMeter.Tag.SCOPE.key(),
                scope,
                LockMeter.Tag.MODE.key(),
                mode.name().toLowerCase(Locale.ROOT));
        this.wait = timer(LockMeter.WAIT, histogram);
        this.hold = timer(LockMeter.HOLD, histogram);
        this.lost = counter(LockMeter.LOST).register(registry);
        this.stolen = counter(LockMeter.STOLEN).register(registry);
        this.rechecks = counter(LockMeter.RECHECKS).register(registry);
        for (LockListener.HandOver to : LockListener.HandOver.values()) {
            handOvers.put(
                    to,
                    counter(LockMeter.HANDOVERS)
                            .tag(LockMeter.Tag.TO.key(), to.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        gauge(LockMeter.HELD, CurrentLocks::heldCount);
        gauge(LockMeter.WAITING, CurrentLocks::waitingCount);
        seconds(LockMeter.LONGEST_HOLD, locks -> seconds(locks.longestHold()));
        seconds(LockMeter.LONGEST_WAIT, locks -> seconds(locks.longestWait()));
    }

    /** Registers the counters of the usual outcomes, which otherwise wait for their first occurrence. */
    void declare() {
        USUAL_OUTCOMES.forEach(this::outcome);
    }

    void granted(Duration waited) {
        wait.record(waited);
        Counter known = granted;
        if (known == null) {
            known = outcome("granted");
            granted = known;
        }
        known.increment();
    }

    void ended(String outcome, Duration waited) {
        wait.record(waited);
        outcome(outcome).increment();
    }

    /** Returns the counter of an outcome. Registered on first use, because most outcomes never occur. */
    private Counter outcome(String outcome) {
        return outcomes.computeIfAbsent(
                outcome,
                first -> counter(LockMeter.ACQUISITIONS)
                        .tag(LockMeter.Tag.OUTCOME.key(), first)
                        .register(registry));
    }

    void handedOver(LockListener.HandOver to) {
        Counter counter = handOvers.get(to);
        if (counter != null) {
            counter.increment();
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private Counter.Builder counter(LockMeter meter) {
        return Counter.builder(meter.key()).description(meter.meaning()).tags(tags);
    }

    private Timer timer(LockMeter meter, boolean histogram) {
        return Timer.builder(meter.key())
                .description(meter.meaning())
                .tags(tags)
                .publishPercentileHistogram(histogram)
                .register(registry);
    }

    private void gauge(LockMeter meter, ToDoubleFunction<CurrentLocks> value) {
        Gauge.builder(meter.key(), current, value)
                .description(meter.meaning())
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private void seconds(LockMeter meter, ToDoubleFunction<CurrentLocks> value) {
        TimeGauge.builder(meter.key(), current, TimeUnit.SECONDS, value)
                .description(meter.meaning())
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }
}
