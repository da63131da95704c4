package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractDurationAssert;
import org.junit.jupiter.api.Test;

/** Tests {@code expire} and {@code expireString}: the length of the lease. */
class ExpireAttributeTests extends AttributeFixture {

    ExpireAttributeTests() {
        super(
                List.of("lease=70s", "baton.expire=80s", "baton.scopes.scoped.expire=90s"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void leaseHasTheNearestLength() {
        assertLength(bean(OnMethods.class).seconds(), 50);
        assertLength(bean(OnMethods.class).text(), 60);
        assertLength(bean(OnMethods.class).placeholder(), 70);
        assertLength(bean(OnMethods.class).configured(), 80);
        assertLength(bean(OnMethods.class).scoped(), 90);
        assertLength(bean(OnMethods.class).scopedWithItsOwn(), 50);
        assertLength(bean(OnClass.class).inherited(), 100);
        assertLength(bean(OnClass.class).own(), 50);
        assertLength(bean(InDefaults.class).inherited(), 110);
        assertLength(bean(InDefaults.class).own(), 50);
    }

    @Test
    void redisForgetsTheLockAfterTheLease() {
        assertThat(bean(OnMethods.class).timeToLive(this)).isBetween(40_000L, 50_000L);
    }

    @Test
    void lockIsFreeAfterTheLeaseAlthoughTheMethodStillRuns() {
        OnMethods methods = bean(OnMethods.class);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> methods.tooLong(this))
                .satisfies(lost -> assertThat(lost.result()).isEqualTo("another was let in"));
    }

    private static AbstractDurationAssert<?> assertLength(Duration remaining, long seconds) {
        return assertThat(remaining).isBetween(Duration.ofSeconds(seconds - 9), Duration.ofSeconds(seconds));
    }

    static class OnMethods {
        @DistributedLock(scope = "a", expire = 50)
        Duration seconds() {
            return lease().remaining();
        }

        @DistributedLock(scope = "a", expireString = "PT60S")
        Duration text() {
            return lease().remaining();
        }

        @DistributedLock(scope = "a", expireString = "${lease}")
        Duration placeholder() {
            return lease().remaining();
        }

        @DistributedLock("a")
        Duration configured() {
            return lease().remaining();
        }

        @DistributedLock("scoped")
        Duration scoped() {
            return lease().remaining();
        }

        @DistributedLock(scope = "scoped", expire = 50)
        Duration scopedWithItsOwn() {
            return lease().remaining();
        }

        @DistributedLock(scope = "a", expire = 50)
        long timeToLive(AttributeFixture test) {
            return test.redis.ttl(lease().redisKeys().get(0));
        }

        @DistributedLock(scope = "a", expireString = "1s")
        String tooLong(AttributeFixture test) {
            return test.other()
                    .execute(LockRequest.of("a").waitTime(Duration.ofSeconds(10)), lease -> "another was let in");
        }
    }

    @DistributedLock(expire = 100)
    static class OnClass {
        public Duration inherited() {
            return lease().remaining();
        }

        @DistributedLock(expireString = "50s")
        public Duration own() {
            return lease().remaining();
        }
    }

    @LockDefaults(expireString = "110s")
    static class InDefaults {
        @DistributedLock("scoped")
        Duration inherited() {
            return lease().remaining();
        }

        @DistributedLock(expire = 50)
        Duration own() {
            return lease().remaining();
        }
    }
}
