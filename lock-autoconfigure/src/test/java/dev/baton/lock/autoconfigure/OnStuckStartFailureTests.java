package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.OnStuck;
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

/** Tests that an application which would steal locks without a stall time does not start. */
@ExtendWith(OutputCaptureExtension.class)
class OnStuckStartFailureTests {

    @Test
    void scopeThatStealsWithoutAStallTime(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.scopes.orders.on-stuck=steal");
        assertThat(output)
                .contains("The configuration property 'baton.scopes.orders.on-stuck' has the value 'steal'")
                .contains("which cannot be used: no holder counts as stuck without a stall time; set"
                        + " baton.scopes.orders.stall-time or baton.stall-time as well, or use 'fail'.");
    }

    @Test
    void methodThatStealsWithoutAStallTime(CapturedOutput output) {
        assertStartFails(StealingMethod.class);
        assertThat(output)
                .contains("@DistributedLock on " + StealingOrders.class.getName()
                        + ".close(), attribute 'onStuck': onStuck STEAL of lock 'orders.global' needs a stall time.")
                .contains(
                        "Set stallTime on the request, in its scope or for all (baton.stall-time), or use onStuck FAIL.");
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
    static class StealingMethod {

        @Bean
        StealingOrders orders() {
            return new StealingOrders();
        }
    }

    static class StealingOrders {

        @DistributedLock(scope = "orders", onStuck = OnStuck.STEAL)
        void close() {}
    }
}
