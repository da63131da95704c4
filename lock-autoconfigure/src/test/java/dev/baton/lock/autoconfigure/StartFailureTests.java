package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.annotation.DistributedLock;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanPostProcessor;
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
import org.springframework.core.PriorityOrdered;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests the failure analyses that Boot prints for an application that does not start. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

    @Test
    void missingConnectionFactory(CapturedOutput output) {
        assertStartFails(NoRedis.class);
        assertThat(output)
                .contains("Locks are kept in Redis, and there is no bean of type RedisConnectionFactory.")
                .contains("Add spring-boot-starter-data-redis with the Lettuce driver (baton-spring-boot-starter brings"
                        + " both) and leave Boot's Redis auto-configuration on, or define a RedisConnectionFactory"
                        + " bean. To run without locks, set baton.enabled=false.");
    }

    @Test
    void ambiguousConnectionFactory(CapturedOutput output) {
        assertStartFails(TwoFactories.class);
        assertThat(output)
                .contains("There are 2 beans of type RedisConnectionFactory, none of them primary: 'cacheRedis',"
                        + " 'lockRedis'.")
                .contains(
                        "Set baton.connection-factory to the name of the one whose Redis keeps the locks, or mark one as"
                                + " @Primary.");
    }

    @Test
    void unknownConnectionFactory(CapturedOutput output) {
        assertStartFails(TwoFactories.class, "--baton.connection-factory=lockredis");
        assertThat(output)
                .contains(
                        "baton.connection-factory names 'lockredis', and no bean of type RedisConnectionFactory has that"
                                + " name.")
                .contains("Set baton.connection-factory to the name of an existing one: 'cacheRedis', 'lockRedis'.");
    }

    @Test
    void beanOfAnotherTypeIsNoConnectionFactory(CapturedOutput output) {
        assertStartFails(TwoFactories.class, "--baton.connection-factory=notRedis");
        assertThat(output)
                .contains(
                        "baton.connection-factory names 'notRedis', and no bean of type RedisConnectionFactory has that"
                                + " name.");
    }

    @Test
    void connectionFactoryOfAnotherKind(CapturedOutput output) {
        assertStartFails(OtherFactory.class);
        assertThat(output)
                .contains("The RedisConnectionFactory cannot be used: locks over")
                .contains("use a LettuceConnectionFactory or a JedisConnectionFactory")
                .contains(
                        "Change it, or set baton.connection-factory to the name of a RedisConnectionFactory bean that can be"
                                + " used.");
    }

    @Test
    void unknownAnswerToALoss(CapturedOutput output) {
        assertStartFails(TwoFactories.class, "--baton.on-lost=explode");
        assertThat(output)
                .contains("Property: baton.on-lost")
                .contains("Value: \"explode\"")
                .contains("The following values are valid:")
                .contains("INTERRUPT", "LOG", "THROW");
    }

    @Test
    void keyspaceInACluster(CapturedOutput output) {
        assertStartFails(JedisCluster.class, "--baton.wait-strategy=keyspace");
        assertThat(output)
                .contains("The configuration property 'baton.wait-strategy' has the value 'keyspace'")
                .contains(
                        "which cannot be used: wait strategy keyspace does not work in a Redis Cluster, where each node notifies of its own keys only; use grant or polling.")
                .contains("Change the value of 'baton.wait-strategy'.");
    }

    @Test
    void strategyOfAScopeThatTheStoreDoesNotServe(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.scopes.orders.wait-strategy=keyspace");
        assertThat(output)
                .contains("The configuration property 'baton.scopes.orders.wait-strategy' has the value 'keyspace'")
                .contains(
                        "which cannot be used: the store waits with 'grant' (baton.wait-strategy); leave it out, or use"
                                + " 'polling'.")
                .contains("Change the value of 'baton.scopes.orders.wait-strategy'.");
    }

    @Test
    void pollingIntervalOfAScopeThatDoesNotPoll(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.scopes.orders.polling-interval=20ms");
        assertThat(output)
                .contains("The configuration property 'baton.scopes.orders.polling-interval' has the value '20ms'")
                .contains(
                        "which cannot be used: it has no effect, because the wait strategy of the scope is 'grant'; set"
                                + " baton.scopes.orders.wait-strategy: polling as well, or leave the interval out.");
    }

    @Test
    void strategyOfAMethodThatTheStoreDoesNotServe(CapturedOutput output) {
        assertStartFails(KeyspaceMethod.class);
        assertThat(output)
                .contains("@DistributedLock on " + KeyspaceOrders.class.getName()
                        + ".close(), attribute 'waitStrategy': waitStrategy KEYSPACE of lock 'orders.global' is not that of"
                        + " the store, which is GRANT (baton.wait-strategy).")
                .contains("Leave waitStrategy out, or use POLLING.");
    }

    @Test
    void pollingIntervalOfAMethodThatDoesNotPoll(CapturedOutput output) {
        assertStartFails(IntervalMethod.class);
        assertThat(output)
                .contains("@DistributedLock on " + IntervalOrders.class.getName()
                        + ".close(), attribute 'pollingIntervalString': pollingInterval 20 ms of lock 'orders.global' has"
                        + " no effect, because the wait strategy is GRANT.")
                .contains("Use waitStrategy POLLING, or leave pollingInterval out.");
    }

    @Test
    void strategyOfAMethodIsCheckedAlsoIfLocksAreDisabled(CapturedOutput output) {
        assertStartFails(KeyspaceMethod.class, "--baton.enabled=false");
        assertThat(output).contains("Leave waitStrategy out, or use POLLING.");
    }

    @Test
    void transactionsInACluster(CapturedOutput output) {
        assertStartFails(JedisCluster.class, "--baton.handler=transaction");
        assertThat(output)
                .contains("The configuration property 'baton.handler' has the value 'transaction'")
                .contains("which cannot be used: handler transaction does not work in a Redis Cluster; use script.")
                .contains("Change the value of 'baton.handler'.");
    }

    @Test
    void transactionsWithAStaticMaster(CapturedOutput output) {
        assertStartFails(
                OneFactory.class, "--spring.data.redis.masterreplica.nodes=127.0.0.1:9", "--baton.handler=transaction");
        assertThat(output)
                .contains("The configuration property 'baton.handler' has the value 'transaction'")
                .contains("which cannot be used: handler transaction does not work with a static master and replicas")
                .contains("Change the value of 'baton.handler'.");
    }

    @Test
    void pipelinedReleaseWithTransactions(CapturedOutput output) {
        assertStartFails(
                TwoFactories.class,
                "--baton.connection-factory=lockRedis",
                "--baton.release=pipelined",
                "--baton.handler=transaction");
        assertThat(output)
                .contains("The configuration property 'baton.release' has the value 'pipelined'")
                .contains("which cannot be used: handler transaction needs several commands per release")
                .contains("Change the value of 'baton.release'.");
    }

    @Test
    void pollingWithoutAPause(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.polling.interval=0s");
        assertThat(output)
                .contains("The configuration property 'baton.polling.interval' has the value '0s'")
                .contains("use at least 1 ms");
    }

    @Test
    void unknownWaitStrategy(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.wait-strategy=spin");
        assertThat(output)
                .contains("baton.wait-strategy")
                .contains("GRANT")
                .contains("KEYSPACE")
                .contains("POLLING");
    }

    @Test
    void unusableValue(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.expire=5ms");
        assertThat(output)
                .contains(
                        "The configuration property 'baton.expire' has the value '5ms' (set in \"baton.expire\" from"
                                + " property source \"commandLineArgs\"), which cannot be used: expire 5 ms is too short; use at least 10 ms, and more than the work under the lock takes.")
                .contains("Change the value of 'baton.expire'.");
    }

    @Test
    void namespaceOfTwoLines(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.namespace=shop\nforged");
        assertThat(output)
                .contains("The configuration property 'baton.namespace' has the value 'shop\\nforged'")
                .contains(
                        "namespace 'shop\\nforged' contains a brace, a control character, or leading or trailing white space");
    }

    @Test
    void numberWithoutUnit(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.max-hold=60");
        assertThat(output)
                .contains("The configuration property 'baton.max-hold' has the value '60'")
                .contains("which cannot be used: '60' has no unit; write '60s' or '60ms'.")
                .contains("Change the value of 'baton.max-hold'.");
    }

    @Test
    void invalidWaitTime(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.wait-time=forever");
        assertThat(output)
                .contains("The configuration property 'baton.wait-time' has the value 'forever'")
                .contains(
                        "which cannot be used: 'forever' is not a duration; write it as '500ms', '10s', '5m' or 'PT10S', as"
                                + " '0' to not wait, or as 'unbounded' to wait without a bound.")
                .contains("Change the value of 'baton.wait-time'.");
    }

    @Test
    void unusableValueOfAScope(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.scopes.server_access.expire=5ms");
        assertThat(output)
                .contains("The configuration property 'baton.scopes.server_access.expire' has the value '5ms' (set in"
                        + " \"baton.scopes.server_access.expire\" from property source \"commandLineArgs\"), which cannot be"
                        + " used: expire 5 ms is too short")
                .contains("Change the value of 'baton.scopes.server_access.expire'.");
    }

    @Test
    void unusableValueOfAScopeWithDots(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.scopes[com.acme.Orders.close].wait-time=-1s");
        assertThat(output)
                .contains(
                        "The configuration property 'baton.scopes[com.acme.Orders.close].wait-time' has the value '-1s'"
                                + " (set in")
                .contains("which cannot be used: wait time -1000 ms is negative");
    }

    @Test
    void unknownWordForInTransaction(CapturedOutput output) {
        assertStartFails(OneFactory.class, "--baton.in-transaction=ignore");
        assertThat(output)
                .contains("baton.in-transaction", "ignore", "RELEASE", "WARN", "REFUSE")
                .contains("APPLICATION FAILED TO START");
    }

    @Test
    void missingHandler(CapturedOutput output) {
        assertStartFails(NoHandler.class);
        assertThat(output)
                .contains("@DistributedLock on " + NoHandlerService.class.getName()
                        + ".work(), attribute 'onTimeout': the class has no method 'busy'.")
                .contains(
                        "Write a method busy(), optionally with a LockTimeoutException after these, or name one of another"
                                + " bean as \"@bean.method(#id)\".");
    }

    @Test
    void impossibleLock(CapturedOutput output) {
        assertStartFails(WrongLock.class);
        assertThat(output)
                .contains("@DistributedLock on " + WrongService.class.getName() + ".work()")
                .contains("attribute 'expire': expire = 0 s is too short for a lease.")
                .contains(
                        "Give at least 1 s, use expireString for less, or leave it out for the configured baton.expire.")
                .doesNotContain("LockDefinitionException");
    }

    @Test
    void differentValuesForOneRequest(CapturedOutput output) {
        assertStartFails(TwoWaitTimes.class);
        assertThat(output)
                .contains("@DistributedLock on " + TwoWaitTimesService.class.getName()
                        + ".work(), attribute 'waitTime': waitTime = 1 and waitTimeString = '2s' are both given, and the"
                        + " locks of one place are one request.")
                .contains("Write it on one of the annotations, or the same value on each.");
    }

    @Test
    void lockWithoutProxy(CapturedOutput output) {
        assertStartFails(Unproxied.class);
        assertThat(output)
                .contains("@DistributedLock on " + LockedPostProcessor.class.getName() + ".work()")
                .contains("bean 'lockedPostProcessor' is not proxied, so the method would run without its lock.")
                .contains("move the method to another bean");
    }

    private static void assertStartFails(Class<?> application, String... args) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF);
        assertThatException().isThrownBy(() -> builder.run(args).close());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class NoRedis {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class OneFactory {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class
    })
    static class KeyspaceMethod {

        @Bean
        KeyspaceOrders orders() {
            return new KeyspaceOrders();
        }
    }

    static class KeyspaceOrders {

        @DistributedLock(scope = "orders", waitStrategy = WaitStrategy.KEYSPACE)
        void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class
    })
    static class IntervalMethod {

        @Bean
        IntervalOrders orders() {
            return new IntervalOrders();
        }
    }

    static class IntervalOrders {

        @DistributedLock(scope = "orders", pollingIntervalString = "20ms")
        void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class WrongLock {

        @Bean
        WrongService wrongService() {
            return new WrongService();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class Unproxied {

        @Bean
        static LockedPostProcessor lockedPostProcessor() {
            return new LockedPostProcessor();
        }
    }

    static class LockedPostProcessor implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }

        @DistributedLock(scope = "work")
        void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class NoHandler {

        @Bean
        NoHandlerService noHandlerService() {
            return new NoHandlerService();
        }
    }

    static class NoHandlerService {

        @DistributedLock(scope = "work", onTimeout = "busy")
        void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class TwoWaitTimes {

        @Bean
        TwoWaitTimesService twoWaitTimesService() {
            return new TwoWaitTimesService();
        }
    }

    static class TwoWaitTimesService {

        @DistributedLock(scope = "work", waitTime = 1)
        @DistributedLock(scope = "desk", waitTimeString = "2s")
        void work() {}
    }

    static class WrongService {

        @DistributedLock(scope = "work", expire = 0)
        void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class JedisCluster {

        @Bean
        RedisConnectionFactory jedis() {
            RedisClusterConfiguration nodes = new RedisClusterConfiguration(List.of("127.0.0.1:" + Contexts.NO_REDIS));
            JedisConnectionFactory factory = new JedisConnectionFactory(nodes);
            // otherwise this bean would fail first
            factory.setEarlyStartup(false);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class OtherFactory {

        @Bean
        RedisConnectionFactory wrapped() {
            RedisConnectionFactory lettuce = new LettuceConnectionFactory("127.0.0.1", Contexts.NO_REDIS);
            return (RedisConnectionFactory) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {RedisConnectionFactory.class},
                    (proxy, method, args) -> method.invoke(lettuce, args));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class TwoFactories {

        @Bean
        RedisConnectionFactory lockRedis() {
            return new LettuceConnectionFactory("127.0.0.1", Contexts.NO_REDIS);
        }

        @Bean
        RedisConnectionFactory cacheRedis() {
            return new LettuceConnectionFactory("127.0.0.1", Contexts.NO_REDIS);
        }

        @Bean
        String notRedis() {
            return "";
        }
    }
}
