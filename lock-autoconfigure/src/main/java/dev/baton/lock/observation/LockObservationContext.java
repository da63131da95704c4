package dev.baton.lock.observation;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes one acquisition of a lock to conventions and handlers. Written by the thread that runs the execution, or
 * handles the lease, at the time.
 */
public final class LockObservationContext extends Observation.Context {

    /** The value of the outcome before the outcome is known. */
    static final String UNDECIDED = "none";

    static final String GRANTED = "granted";

    private final LockRequest request;
    private final String scope;
    private final ContextValues low = new ContextValues();
    private final ContextValues high = new ContextValues();
    private volatile String outcome = UNDECIDED;
    private volatile @Nullable LockHolder waitedFor;
    private volatile Duration waited = Duration.ZERO;
    private volatile long fencingToken;
    /** Set by {@link LockObservationMeters}; {@code null} if that handler is not used. */
    volatile LockObservationMeters.@Nullable Measured measured;

    LockObservationContext(LockRequest request) {
        this.request = request;
        this.scope = scope(request.targets());
    }

    /** Returns the scope of locks. Several scopes are sorted and joined by {@code +}. */
    static String scope(List<LockTarget> targets) {
        return targets.size() == 1
                ? targets.get(0).scope()
                : targets.stream().map(LockTarget::scope).distinct().sorted().collect(Collectors.joining("+"));
    }

    /** Returns the lock request. */
    public LockRequest request() {
        return request;
    }

    /** Returns the scope of the request. Several scopes are sorted and joined by {@code +}. */
    public String scope() {
        return scope;
    }

    /**
     * Returns {@code granted}, {@code timeout} or another value of {@link LockMeter.Tag#OUTCOME}; {@code none} before
     * the outcome is known.
     */
    public String outcome() {
        return outcome;
    }

    /** Returns the last known holder of one of the locks while the request waited, or empty if there was none. */
    public Optional<LockHolder> waitedFor() {
        return Optional.ofNullable(waitedFor);
    }

    /** Returns how long the request waited. */
    public Duration waited() {
        return waited;
    }

    /** Returns the fencing token of the grant, or 0 if there was no grant. */
    public long fencingToken() {
        return fencingToken;
    }

    boolean isGranted() {
        return outcome.equals(GRANTED);
    }

    void granted(Duration waited, @Nullable LockHolder waitedFor, long fencingToken) {
        this.outcome = GRANTED;
        this.waited = waited;
        this.waitedFor = waitedFor;
        this.fencingToken = fencingToken;
    }

    void notGranted(String outcome, Duration waited, @Nullable LockHolder waitedFor) {
        this.outcome = outcome;
        this.waited = waited;
        this.waitedFor = waitedFor;
    }

    @Override
    public Observation.Context addLowCardinalityKeyValue(KeyValue value) {
        return addLowCardinalityKeyValues(KeyValues.of(value));
    }

    @Override
    public Observation.Context addHighCardinalityKeyValue(KeyValue value) {
        return addHighCardinalityKeyValues(KeyValues.of(value));
    }

    @Override
    public Observation.Context addLowCardinalityKeyValues(KeyValues values) {
        low.add(values);
        return this;
    }

    @Override
    public Observation.Context addHighCardinalityKeyValues(KeyValues values) {
        high.add(values);
        return this;
    }

    @Override
    public Observation.Context removeLowCardinalityKeyValue(String key) {
        return removeLowCardinalityKeyValues(key);
    }

    @Override
    public Observation.Context removeHighCardinalityKeyValue(String key) {
        return removeHighCardinalityKeyValues(key);
    }

    @Override
    public Observation.Context removeLowCardinalityKeyValues(String... keys) {
        low.remove(keys);
        return this;
    }

    @Override
    public Observation.Context removeHighCardinalityKeyValues(String... keys) {
        high.remove(keys);
        return this;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues() {
        return low.all();
    }

    @Override
    public KeyValues getHighCardinalityKeyValues() {
        return high.all();
    }

    @Override
    public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
        return low.find(key);
    }

    @Override
    public @Nullable KeyValue getHighCardinalityKeyValue(String key) {
        return high.find(key);
    }
}
