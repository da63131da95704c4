package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.NameMatchLockAttributeSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Tests scopes that can produce the same lock name with different keys. */
@ExtendWith(OutputCaptureExtension.class)
class MeetingScopesTests {

    private static final String HERE = MeetingScopesTests.class.getName() + "$";

    private final ApplicationContextRunner runner =
            Contexts.withoutRedis().withBean(RecordingOperations.class).withBean(Orders.class);

    @Test
    void ambiguousScopesOfMethodsAreLoggedAtTheStart(CapturedOutput output) {
        runner.withBean(Items.class)
                .withPropertyValues("item.scope=order.item")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("Scope 'order' (" + HERE + "Orders.close) and scope 'order.item' (" + HERE
                        + "Items.close) can name the same lock: 'order.item.x' is the key 'item.x' of the one and the key"
                        + " 'x' of the other. Rename one of them, so that neither begins with the other and a dot.");
    }

    @Test
    void ambiguousScopesOfPropertiesAndOtherSourcesAreLogged(CapturedOutput output) {
        runner.withPropertyValues("baton.scopes.order.expire=10s", "baton.scopes[order.item].expire=10s")
                .withUserConfiguration(ByName.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("and scope 'order.item' (baton.scopes[order.item]) can name the same lock")
                .contains("and scope 'order.list' (" + HERE + "Orders.list) can name the same lock");
    }

    @Test
    void unambiguousScopesAreNotLogged(CapturedOutput output) {
        runner.withBean(Items.class)
                .withPropertyValues("item.scope=orders", "baton.scopes.order_item.expire=10s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("can name the same lock");
    }

    @Test
    void pairIsLoggedOnceAndNotAcrossNamespaces() {
        List<String> messages = MeetingScopes.messages(List.of(
                new MeetingScopes.Declared("a.b", "", "third", true),
                new MeetingScopes.Declared("a", "", "first", true),
                new MeetingScopes.Declared("a", "", "second", true),
                new MeetingScopes.Declared("a.c", "elsewhere", "fourth", true),
                new MeetingScopes.Declared("b", "", "without a key", false),
                new MeetingScopes.Declared("b.c", "", "fifth", true)));
        assertThat(messages).singleElement().asString().contains("'a' (first)", "'a.b' (third)");
    }

    static class Orders {

        @DistributedLock(scope = "order", key = "#p0")
        public void close(String id) {}

        public void list() {}
    }

    static class Items {

        @DistributedLock(scope = "${item.scope}", key = "#p0")
        public void close(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ByName {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockAttributeSource byName() {
            return new NameMatchLockAttributeSource(
                    Map.of(HERE + "Orders.list", LockAttribute.of(LockRequest.of("order.list"))));
        }
    }
}
