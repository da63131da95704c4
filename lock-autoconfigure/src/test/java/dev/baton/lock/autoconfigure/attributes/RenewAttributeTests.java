package dev.baton.lock.autoconfigure.attributes;

import static dev.baton.lock.Renewal.ALWAYS;
import static dev.baton.lock.Renewal.AUTO;
import static dev.baton.lock.Renewal.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code renew}: whether the lease is renewed while the method runs. */
@Tag("once")
class RenewAttributeTests extends AttributeFixture {

    RenewAttributeTests() {
        // a holder is notified before its lease ends in Redis, so the next call waits for that end
        super(
                List.of("baton.expire=1s", "baton.wait-time=10s", "baton.on-lost=log", "baton.scopes.scoped.expire=1s"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void autoRenewsTheConfiguredLeaseOnly() throws Exception {
        assertThat(bean(OnMethods.class).configured()).isEqualTo("renewed");
        assertThat(bean(OnMethods.class).limited()).isEqualTo("ended");
        assertThat(bean(OnMethods.class).limitedByItsScope()).isEqualTo("ended");
    }

    @Test
    void alwaysRenewsAnExplicitLease() throws Exception {
        assertThat(bean(OnMethods.class).always()).isEqualTo("renewed");
    }

    @Test
    void neverRenewsNoLease() throws Exception {
        assertThat(bean(OnMethods.class).never()).isEqualTo("ended");
    }

    @Test
    void renewOfTheClassAndOfTheDefaultsIsInheritedAndOverridden() throws Exception {
        assertThat(bean(OnClass.class).inherited()).isEqualTo("ended");
        assertThat(bean(OnClass.class).own()).isEqualTo("renewed");
        assertThat(bean(InDefaults.class).inherited()).isEqualTo("renewed");
        assertThat(bean(InDefaults.class).own()).isEqualTo("ended");
    }

    /** Works until the lease is renewed or over. */
    private static String outlive() throws InterruptedException {
        Duration last = lease().remaining();
        while (lease().isHeld()) {
            Duration now = lease().remaining();
            if (now.compareTo(last) > 0) {
                return "renewed";
            }
            last = now;
            Thread.sleep(2);
        }
        return "ended";
    }

    static class OnMethods {
        @DistributedLock("a")
        String configured() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "a", expireString = "1s")
        String limited() throws InterruptedException {
            return outlive();
        }

        @DistributedLock("scoped")
        String limitedByItsScope() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "a", expireString = "1s", renew = ALWAYS)
        String always() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "a", renew = NEVER)
        String never() throws InterruptedException {
            return outlive();
        }
    }

    @DistributedLock(scope = "b", renew = NEVER)
    static class OnClass {
        public String inherited() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(renew = AUTO)
        public String own() throws InterruptedException {
            return outlive();
        }
    }

    @LockDefaults(scope = "c", expireString = "1s", renew = ALWAYS)
    static class InDefaults {
        @DistributedLock
        String inherited() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(renew = AUTO)
        String own() throws InterruptedException {
            return outlive();
        }
    }
}
