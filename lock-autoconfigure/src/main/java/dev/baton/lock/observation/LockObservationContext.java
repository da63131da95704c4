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

/** A lock that is taken, for conventions and handlers. Written by the thread in which the execution, or the lease, is at the time. */
public final class LockObservationContext extends Observation.Context {

    /** The outcome before it is known. */
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
    /** By {@link LockObservationMeters}; null if they are not used. */
    volatile LockObservationMeters.@Nullable Measured measured;

    LockObservationContext(LockRequest request) {
        this.request = request;
        this.scope = scope(request.targets());
    }

    private static String scope(List<LockTarget> targets) {
        return targets.size() == 1
                ? targets.get(0).scope()
                : targets.stream().map(LockTarget::scope).distinct().sorted().collect(Collectors.joining("+"));
    }

    /** What was asked for. */
    public LockRequest getRequest() {
        return request;
    }

    /** The scope; of locks of several scopes these, sorted and joined by {@code +}. */
    public String getScope() {
        return scope;
    }

    /** {@code granted}, {@code timeout} or another value of {@link LockMeter.Tag#OUTCOME}; {@code none} before it is known. */
    public String getOutcome() {
        return outcome;
    }

    /** Who was last seen to hold one of the locks while the request waited; empty: nobody. */
    public Optional<LockHolder> getWaitedFor() {
        return Optional.ofNullable(waitedFor);
    }

    /** How long it waited. */
    public Duration getWaited() {
        return waited;
    }

    /** The token of the grant; 0 without one. */
    public long getFencingToken() {
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
