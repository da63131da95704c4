package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Tests that exactly the names of the metadata are known, in every spelling that Spring Boot accepts. */
class KnownPropertiesTests {

    private final KnownProperties known = new KnownProperties();

    @Test
    void knownNamesAreThoseOfTheMetadata() {
        List<String> names = known.values()
                .map(ConfigurationPropertyName::toString)
                .filter(name -> !name.startsWith("baton.scopes."))
                .toList();
        assertThat(names)
                .containsExactlyInAnyOrder(ConfigurationMetadataTests.properties().stream()
                        .map(property -> property.get("name").toString())
                        .filter(name -> !name.equals("baton.scopes"))
                        .toArray(String[]::new));
    }

    @Test
    void everySettingOfAScopeIsKnown() {
        assertThat(known.values()
                        .map(ConfigurationPropertyName::toString)
                        .filter(name -> name.startsWith("baton.scopes.")))
                .containsExactlyInAnyOrder(Arrays.stream(ScopeProperties.class.getRecordComponents())
                        .map(component -> "baton.scopes.any." + ConfigurationMetadataTests.dashed(component.getName()))
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "baton.wait-time",
                "baton.waitTime",
                "baton.wait_time",
                "baton.WAIT_TIME",
                "baton.waittime",
                "BATON.Wait-Time",
                "baton.cohort.maxTime",
                "baton.scopes.server_access.waitTime",
                "baton.scopes[com.acme.Orders.close].stall_time",
                "baton.scopes.[com.acme.Orders.close].expire",
                "baton.scopes.any.expire"
            })
    void relaxedNamesAreKnown(String name) {
        assertThat(known.isValue(ConfigurationPropertyName.adapt(name, '.'))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "baton",
                "baton.cohort",
                "baton.cache",
                "baton.scopes",
                "baton.scopes.server_access",
                "baton.scopes.a.b.expire",
                "baton.scopes.a.expires",
                "baton.wait-time[0]",
                "baton.wait-time.seconds",
                "baton.wait"
            })
    void otherNamesHaveNoValue(String name) {
        assertThat(known.isValue(ConfigurationPropertyName.adapt(name, '.'))).isFalse();
    }
}
