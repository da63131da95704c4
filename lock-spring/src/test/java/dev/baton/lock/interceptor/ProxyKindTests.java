package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.LockedContext;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

/** Tests that every kind of proxy acquires the lock, or fails the start. */
class ProxyKindTests {

    private static final Map<String, Object> BY_INTERFACE = Map.of("spring.aop.proxy-target-class", "false");

    @Test
    void scopedProxyPassesAndItsTargetIsLocked() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(ThreadScope.class, Scoped.class)) {
            context.getBean(Scoped.class).close();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void wrongLockOfAScopedBeanFailsTheStart() {
        assertThat(LockedContext.failure(ThreadScope.class, ScopedWrong.class).beanClass())
                .isEqualTo(ScopedWrong.class);
    }

    @Test
    void configurationClassIsLocked() {
        assertLocked(LockedConfiguration.class);
    }

    @Test
    void objectOfAFactoryIsLocked() {
        assertLocked(ServiceFactory.class);
        LockDefinitionException failure = LockedContext.failure(WrongFactory.class);
        assertThat(failure.beanClass()).isEqualTo(WrongService.class);
    }

    @Test
    void factoryIsLockedIndependentlyOfItsObject() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(LockedFactory.class)) {
            context.getBean(LockedFactory.class).close();
            assertThat(context.getBean(Thread.class)).isNotNull();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void proxyOfAnInterfaceIsLocked() {
        assertLocked(ClientFactory.class);
        assertLocked(RepositoryFactory.class);
    }

    @Test
    void keyOfAnInterfaceProxyUsesTheParameterNamesOfTheInterface() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(KeyedClientFactory.class)) {
            context.getBean(KeyedClient.class).close("42");
            assertThat(context.getBean(FakeLockOperations.class).lastRequest().name())
                    .isEqualTo("orders.42");
        }
    }

    @Test
    void wrongLockOfAnInterfaceProxyFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(WrongClientFactory.class);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.problem()).isEqualTo("'#idd' uses #idd, which is not a parameter of the method");
    }

    @Test
    void lambdaIsLocked() {
        assertLocked(LambdaConfiguration.class);
    }

    @Test
    void beanProxiedByItsInterfacesIsLocked() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(BY_INTERFACE, ServiceBean.class)) {
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Closer.class)))
                    .isTrue();
            context.getBean(Closer.class).close();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void finalClassWithAnInterfaceIsLockedByAnInterfaceProxy() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(BY_INTERFACE, FinalServiceBean.class)) {
            context.getBean(Closer.class).close();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void genericInterfaceReachesTheMethod() {
        try (AnnotationConfigApplicationContext context = LockedContext.start(BY_INTERFACE, GenericBean.class)) {
            @SuppressWarnings("unchecked")
            Generic<String> bean = context.getBean(Generic.class);
            bean.close("a");
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    @Test
    void methodOfNoInterfaceOfTheProxyFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(BY_INTERFACE, UnreachableBean.class);
        assertThat(failure.methodSignature()).isEqualTo("reopen()");
        assertThat(failure.problem())
                .isEqualTo("bean 'proxyKindTests.UnreachableBean' is proxied by its interfaces, and none of them has"
                        + " the method, so it cannot be called with its lock");
        assertThat(failure.action())
                .isEqualTo("Declare the method in an interface of the bean, or have proxies created by class"
                        + " (spring.aop.proxy-target-class=true).");
    }

    private static void assertLocked(Class<?>... beans) {
        try (AnnotationConfigApplicationContext context = LockedContext.start(beans)) {
            context.getBean(Closer.class).close();
            assertThat(requests(context)).isEqualTo(1);
        }
    }

    private static int requests(AnnotationConfigApplicationContext context) {
        return context.getBean(FakeLockOperations.class).requests().size();
    }

    interface Closer {
        void close();
    }

    static class Service implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    static class WrongService implements Closer {
        @Override
        @DistributedLock(scope = "orders", expire = 0)
        public void close() {}
    }

    static class ServiceBean implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    static class ThreadScope {
        @Bean
        static BeanFactoryPostProcessor threadScope() {
            return factory -> factory.registerScope("thread", new SimpleThreadScope());
        }
    }

    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped extends Service {}

    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedWrong extends WrongService {}

    @Configuration
    static class LockedConfiguration implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}

        @Bean
        Thread thread() {
            return new Thread();
        }
    }

    static class ServiceFactory implements FactoryBean<Closer> {
        @Override
        public Closer getObject() {
            return new Service();
        }

        @Override
        public Class<?> getObjectType() {
            return Closer.class;
        }
    }

    static class WrongFactory extends ServiceFactory {
        @Override
        public Closer getObject() {
            return new WrongService();
        }

        @Bean
        static Thread needsIt(Closer closing) {
            return new Thread(closing::close);
        }
    }

    static class LockedFactory implements FactoryBean<Thread> {
        @DistributedLock("orders")
        public void close() {}

        @Override
        public Thread getObject() {
            return new Thread();
        }

        @Override
        public Class<?> getObjectType() {
            return Thread.class;
        }
    }

    interface Client extends Closer {
        @Override
        @DistributedLock("orders")
        void close();
    }

    /** Creates proxies in the same way as HTTP interfaces. */
    static class ClientFactory implements FactoryBean<Closer> {
        @Override
        public Closer getObject() {
            return (Closer) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Client.class}, (proxy, method, args) -> null);
        }

        @Override
        public Class<?> getObjectType() {
            return Client.class;
        }
    }

    interface KeyedClient {
        @DistributedLock(scope = "orders", key = "#id")
        void close(String id);
    }

    static class KeyedClientFactory implements FactoryBean<Object> {
        @Override
        public Object getObject() {
            return Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {getObjectType()}, (proxy, method, args) -> null);
        }

        @Override
        public Class<?> getObjectType() {
            return KeyedClient.class;
        }
    }

    interface WrongClient {
        @DistributedLock(scope = "orders", key = "#idd")
        void close(String id);
    }

    static class WrongClientFactory extends KeyedClientFactory {
        @Override
        public Class<?> getObjectType() {
            return WrongClient.class;
        }

        @Bean
        static Thread needsIt(WrongClient client) {
            return new Thread(() -> client.close("a"));
        }
    }

    static class GenericRepository {
        public void close() {}
    }

    /**
     * Creates proxies in the same way as Spring Data repositories: the class behind the proxy does not implement the
     * interface.
     */
    static class RepositoryFactory implements FactoryBean<Closer> {
        @Override
        public Closer getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setTarget(new GenericRepository());
            factory.setInterfaces(Client.class);
            factory.addAdvice((MethodInterceptor) invocation -> null);
            return (Closer) factory.getProxy();
        }

        @Override
        public Class<?> getObjectType() {
            return Client.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaConfiguration {
        @Bean
        Client closing() {
            return () -> {};
        }
    }

    static final class FinalServiceBean implements Closer {
        @Override
        @DistributedLock("orders")
        public void close() {}
    }

    interface Generic<T> {
        void close(T subject);
    }

    static class GenericBean implements Generic<String> {
        @Override
        @DistributedLock(scope = "orders", key = "#name")
        public void close(String name) {}
    }

    static class UnreachableBean implements Closer {
        @Override
        public void close() {}

        @DistributedLock("orders")
        public void reopen() {}
    }
}
