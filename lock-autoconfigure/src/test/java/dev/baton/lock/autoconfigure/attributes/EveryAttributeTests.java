package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.DistributedLock;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Tests that each attribute has a test class of its own in this package. */
class EveryAttributeTests {

    @Test
    void attributeHasATestClass() {
        assertThat(Arrays.stream(DistributedLock.class.getDeclaredMethods())
                        .map(Method::getName)
                        .map(EveryAttributeTests::testClass)
                        .distinct())
                .contains("KeyAttributeTests")
                .allMatch(name -> ClassUtils.isPresent(getClass().getPackageName() + "." + name, null));
    }

    private static String testClass(String attribute) {
        String name = attribute.equals("value") ? "scope" : attribute;
        return StringUtils.capitalize(name.replaceFirst("String$", "")) + "AttributeTests";
    }
}
