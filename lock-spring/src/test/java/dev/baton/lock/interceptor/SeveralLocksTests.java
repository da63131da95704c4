package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockKeyed;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.LockedContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Tests a key with a collection or an array as its value: one lock per element, in one request. */
class SeveralLocksTests {

    private AnnotationConfigApplicationContext context;

    private Accounts accounts;

    private FakeLockOperations locks;

    @BeforeEach
    void start() {
        context = LockedContext.start(Accounts.class);
        accounts = context.getBean(Accounts.class);
        locks = context.getBean(FakeLockOperations.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void listInTheExpressionIsOneLockPerElement() {
        accounts.transfer(7, 3);
        assertThat(locks.requests()).hasSize(1);
        assertThat(locks.lastRequest().names()).containsExactly("account.7", "account.3");
    }

    @Test
    void collectionIsOneLockPerElement() {
        accounts.close(new TreeSet<>(List.of("b", "a")));
        assertThat(locks.lastRequest().names()).containsExactly("account.a", "account.b");
    }

    @Test
    void arraysAreOneLockPerElement() {
        accounts.close(new long[] {1, 2});
        assertThat(locks.lastRequest().names()).containsExactly("account.1", "account.2");
        accounts.close(new String[] {"x", "y"});
        assertThat(locks.lastRequest().names()).containsExactly("account.x", "account.y");
    }

    @Test
    void repeatedElementIsOneLock() {
        accounts.transfer(7, 7);
        assertThat(locks.lastRequest().names()).containsExactly("account.7");
    }

    @Test
    void otherPartsBelongToEveryLock() {
        accounts.ofTenant("acme", List.of(1, 2), "eur");
        assertThat(locks.lastRequest().names()).containsExactly("account.acme:1:eur", "account.acme:2:eur");
    }

    @Test
    void collectionWithALockKeyIsOneLock() {
        accounts.close(new Basket("b7"));
        assertThat(locks.lastRequest().names()).containsExactly("account.b7");
    }

    @Test
    void argumentChangedByTheMethodDoesNotChangeTheRelease() {
        List<Integer> ids = new ArrayList<>(List.of(1, 2));
        accounts.clear(ids);
        assertThat(ids).isEmpty();
        assertThat(context.getBean(Journal.class).entries())
                .containsExactly("acquire account.1, account.2", "release account.1, account.2");
    }

    @Test
    void twoCollectionsAreAmbiguous() {
        assertRefused(
                () -> accounts.ambiguous(List.of(1), List.of(2)),
                "key '#from' of Accounts.ambiguous(..) and #to are both collections, and it is not clear which of their elements belong together; make one of them a single value, or build the keys in one expression,"
                        + " such as \"@keys.of(#from, #to)\"");
    }

    @Test
    void emptyCollectionIsRefused() {
        assertRefused(
                () -> accounts.close(List.of()),
                "key '#ids' of Accounts.close(..) is empty, so the call names no lock; check it before the call, or take the"
                        + " lock on a condition");
    }

    @Test
    void unusableElementIsRefusedByItsPosition() {
        assertRefused(
                () -> accounts.close(Arrays.asList("a", null)),
                "element 2 of key '#ids' of Accounts.close(..) is null: all calls with such a value would share one lock; check the value before the lock is acquired");
    }

    @Test
    void collectionOfCollectionsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accounts.close(List.of(List.of("a"))))
                .withMessageStartingWith("element 1 of key '#ids' of Accounts.close(..) is a java.util.");
    }

    @Test
    void mapIsRefused() {
        assertRefused(
                () -> accounts.close(Map.of("a", "b")),
                "key '#ids' of Accounts.close(..) is a map; write \"#map.keySet()\" or \"#map.values()\" for one lock per key or"
                        + " value");
    }

    @Test
    void byteArrayIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accounts.close(new byte[] {1, 2}))
                .withMessageStartingWith("key '#ids' of Accounts.close(..) is a [B, which cannot name a lock");
    }

    @Test
    void tooManyElementsAreRefused() {
        assertRefused(
                () -> accounts.close(Collections.nCopies(129, "a")),
                "key '#ids' of Accounts.close(..) has 129 elements, and a request has at most 128 locks; lock what they have"
                        + " in common instead");
    }

    private void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
        assertThat(locks.requests()).isEmpty();
    }

    static class Accounts {

        @DistributedLock(scope = "account", key = "{#from, #to}")
        void transfer(long from, long to) {}

        @DistributedLock(scope = "account", key = "#ids")
        void close(@Nullable Object ids) {}

        @DistributedLock(scope = "account", key = "#ids")
        void clear(List<Integer> ids) {
            ids.clear();
        }

        @DistributedLock(
                scope = "account",
                key = {"#tenant", "#ids", "#currency"})
        void ofTenant(String tenant, List<Integer> ids, String currency) {}

        @DistributedLock(
                scope = "account",
                key = {"#from", "#to"})
        void ambiguous(List<Integer> from, List<Integer> to) {}
    }

    static final class Basket extends ArrayList<String> implements LockKeyed {

        private static final long serialVersionUID = 1L;

        private final String name;

        Basket(String name) {
            super(List.of("egg", "milk"));
            this.name = name;
        }

        @Override
        public Object lockKey() {
            return name;
        }
    }
}
