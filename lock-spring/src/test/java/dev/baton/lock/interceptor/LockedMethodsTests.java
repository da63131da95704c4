package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

class LockedMethodsTests {

    @Test
    void countsTheLockedMethodsOfAllBeans() {
        LockedMethods methods = new LockedMethods(new AnnotationLockAttributeSource(text -> text));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
                Two.class, LazyOne.class, ScopedOne.class, WrongOne.class, None.class)) {
            assertThat(methods.count(context.getBeanFactory())).isEqualTo(5);
        }
    }

    @Test
    void classWithSeveralBeansCountsOnce() {
        LockedMethods methods = new LockedMethods(new AnnotationLockAttributeSource(text -> text));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Two.class)) {
            context.registerBean("another", Two.class);
            assertThat(methods.count(context.getBeanFactory())).isEqualTo(2);
        }
    }

    @Test
    void declarationsCountTheBeansAndLeaveOutWhatCannotBeUsed() {
        LockedMethods methods = new LockedMethods(new AnnotationLockAttributeSource(text -> text));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
                Two.class, LazyOne.class, ScopedOne.class, WrongOne.class, None.class)) {
            context.registerBean("another", Two.class);
            LockedMethods.Declarations found = methods.declarations(context.getBeanFactory());
            assertThat(found.beans()).isEqualTo(4);
            assertThat(found.methods())
                    .extracting(declared -> declared.method().getName())
                    .containsExactlyInAnyOrder("close", "reopen", "close", "close");
        }
    }

    static class Two {
        @DistributedLock("orders")
        public void close() {}

        @DistributedLock("orders")
        void reopen() {}

        public void unlocked() {}
    }

    @Lazy
    static class LazyOne {
        @DistributedLock("orders")
        public void close() {}
    }

    @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedOne {
        @DistributedLock("orders")
        public void close() {}
    }

    static class WrongOne {
        @DistributedLock(scope = "orders", expire = 0)
        public void close() {}
    }

    static class None {
        public void unlocked() {}
    }
}
