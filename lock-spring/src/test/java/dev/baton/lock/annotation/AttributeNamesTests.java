package dev.baton.lock.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a duration as text has the name of its setting in {@link LockRequest}, with the suffix {@code String}. */
class AttributeNamesTests {

    @ParameterizedTest
    @ValueSource(classes = {DistributedLock.class, LockDefaults.class})
    void durationsAsTextHaveTheSuffix(Class<?> annotation) {
        List<String> texts = Arrays.stream(annotation.getDeclaredMethods())
                .filter(attribute -> attribute.getReturnType() == String.class)
                .map(Method::getName)
                .toList();
        assertThat(Arrays.stream(LockRequest.class.getMethods())
                        .filter(wither -> Arrays.equals(wither.getParameterTypes(), new Class<?>[] {Duration.class}))
                        .map(Method::getName))
                .hasSize(6)
                .allSatisfy(name -> assertThat(texts).contains(name + "String").doesNotContain(name));
    }
}
