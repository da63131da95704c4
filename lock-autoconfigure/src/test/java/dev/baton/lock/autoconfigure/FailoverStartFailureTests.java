package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests that an application whose leases would outlast the pause after a failover does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailoverStartFailureTests {

    @Test
    void scopeWithALongerLease(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.failover=wait", "--baton.scopes.orders.expire=31s");
        assertThat(output)
                .contains("The configuration property 'baton.scopes.orders.expire' has the value '31s'")
                .contains("it is longer than the longest lease, 30000 ms (baton.longest-expire); shorten it, or raise"
                        + " baton.longest-expire in every process.");
    }

    @Test
    void methodWithALongerLease(CapturedOutput output) {
        assertStartFails(LongMethod.class, "--baton.longest-expire=40s");
        assertThat(output)
                .contains("@DistributedLock on " + LongOrders.class.getName()
                        + ".close(), attribute 'expire': expire 41000 ms of lock 'orders.global' is longer than the"
                        + " longest lease, 40000 ms (baton.longest-expire).")
                .contains("Shorten expire, which is renewed while the work goes on, or raise baton.longest-expire in"
                        + " every process.");
    }

    @Test
    void transactionsWithAPause(CapturedOutput output) {
        assertStartFails(LongMethod.class, "--baton.failover=wait", "--baton.handler=transaction");
        assertThat(output)
                .contains("The configuration property 'baton.failover' has the value 'wait'")
                .contains("handler transaction does not pause after a failover; use handler script, or"
                        + " baton.failover: none.");
    }

    private static void assertStartFails(Class<?> application, String... args) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF);
        assertThatException().isThrownBy(() -> builder.run(args).close());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class OneFactory {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class
    })
    static class LongMethod {

        @Bean
        LongOrders orders() {
            return new LongOrders();
        }
    }

    static class LongOrders {

        @DistributedLock(scope = "orders", expire = 41)
        void close() {}
    }
}
