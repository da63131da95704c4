package dev.baton.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the order of the steps of {@link LockOperations#computeIfAbsent}, and the failures that end it early. */
class DoubleCheckedComputeTests {

    private static final LockRequest REQUEST = LockRequest.of("report", 7);

    private final Journal journal = new Journal();
    private final FakeLockOperations locks = new FakeLockOperations(journal);
    private @Nullable String stored;
    private @Nullable String computed = "new";
    private int failingLook;
    private boolean failingCompute;
    private boolean failingStore;
    private Runnable beforeSecondLook = () -> {};
    private Runnable whileComputing = () -> {};

    @Test
    void looksUpLocksLooksUpAgainComputesStoresAndReleases() throws Exception {
        assertThat(locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("new");
        assertThat(stored).isEqualTo("new");
        assertThat(journal.entries())
                .containsExactly("look", "acquire report.7", "look", "compute", "store", "release report.7");
    }

    @Test
    void presentValueNeedsNoLock() throws Exception {
        stored = "old";
        assertThat(locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("old");
        assertThat(journal.entries()).containsExactly("look");
    }

    @Test
    void valueStoredDuringTheWaitIsNotComputedAgain() throws Exception {
        beforeSecondLook = () -> stored = "other's";
        assertThat(locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("other's");
        assertThat(journal.entries()).containsExactly("look", "acquire report.7", "look", "release report.7");
    }

    @Test
    void nullIsReturnedAndNotStored() throws Exception {
        computed = null;
        assertThat(locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isNull();
        assertThat(journal.entries())
                .containsExactly("look", "acquire report.7", "look", "compute", "release report.7");
    }

    @Test
    void failedFirstLookupAcquiresNoLock() {
        failingLook = 1;
        assertThatThrownBy(() -> locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isInstanceOf(IOException.class);
        assertThat(journal.entries()).containsExactly("look");
    }

    @Test
    void failedSecondLookupComputesNothing() {
        failingLook = 2;
        assertThatThrownBy(() -> locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isInstanceOf(IOException.class);
        assertThat(journal.entries()).containsExactly("look", "acquire report.7", "look", "release report.7");
    }

    @Test
    void failedComputationStoresNothing() {
        failingCompute = true;
        assertThatThrownBy(() -> locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isInstanceOf(TimeoutException.class)
                .hasNoCause();
        assertThat(journal.entries())
                .containsExactly("look", "acquire report.7", "look", "compute", "release report.7");
    }

    @Test
    void failureToStoreReachesTheCaller() {
        failingStore = true;
        assertThatThrownBy(() -> locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isInstanceOf(SQLException.class)
                .hasNoCause();
        assertThat(journal.entries()).endsWith("store", "release report.7");
    }

    @Test
    void lostLeaseStoresNothing() {
        whileComputing = () -> locks.lastLease().lose();
        assertThatThrownBy(() -> locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isInstanceOf(LockLostException.class);
        assertThat(stored).isNull();
        assertThat(journal.entries()).doesNotContain("store");
    }

    @Test
    void leaseReleasedByTheComputationStoresNothing() throws Exception {
        whileComputing = () -> LockContext.currentLease().release();
        assertThat(locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("new");
        assertThat(stored).isNull();
    }

    /** Must compile: each exception keeps its type, and a lambda that throws no exception needs no throws clause. */
    @Test
    void callerCatchesTheExceptionsOfEachPart() {
        failingStore = true;
        String caught;
        try {
            caught = locks.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store);
        } catch (IOException | TimeoutException ex) {
            caught = "wrong";
        } catch (SQLException ex) {
            caught = "store";
        }
        assertThat(caught).isEqualTo("store");
        Number number = locks.<Number, RuntimeException, RuntimeException, RuntimeException>computeIfAbsent(
                REQUEST, () -> null, () -> 1, value -> stored = value.toString());
        assertThat(number).isEqualTo(1);
        String text = locks.computeIfAbsent(REQUEST, () -> stored, () -> "2", value -> stored = value);
        assertThat(text).isEqualTo("1");
    }

    private @Nullable String lookup() throws IOException {
        boolean second = journal.entries().contains("look");
        if (second) {
            beforeSecondLook.run();
        }
        journal.add("look");
        if (failingLook == (second ? 2 : 1)) {
            throw new IOException("look");
        }
        return stored;
    }

    private @Nullable String compute() throws TimeoutException {
        journal.add("compute");
        whileComputing.run();
        if (failingCompute) {
            throw new TimeoutException("compute");
        }
        return computed;
    }

    private void store(String value) throws SQLException {
        journal.add("store");
        if (failingStore) {
            throw new SQLException("store");
        }
        stored = value;
    }
}
