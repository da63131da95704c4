package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import dev.baton.lock.OnLost;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the metadata that editors show for {@code baton.*}, which is generated from {@link LockProperties}. */
class ConfigurationMetadataTests {

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    private final List<Map<String, Object>> properties = properties();

    @Test
    void metadataListsExactlyTheProperties() {
        Object[] names = Stream.of(
                        names(LockProperties.PREFIX + ".", LockProperties.class),
                        names(LockCacheProperties.PREFIX + ".", LockCacheProperties.class),
                        names(LockLogProperties.PREFIX + ".", LockLogProperties.class),
                        names(LockMetricsProperties.PREFIX + ".", LockMetricsProperties.class),
                        names(LockObservationProperties.PREFIX + ".", LockObservationProperties.class),
                        names(LockBoardProperties.PREFIX + ".", LockBoardProperties.class))
                .flatMap(each -> each)
                .toArray();
        assertThat(properties).extracting("name").containsExactlyInAnyOrder(names);
    }

    @Test
    void everyPropertyHasATypeAndADescription() {
        assertThat(properties).allSatisfy(property -> {
            assertThat((String) property.get("type")).isNotBlank();
            assertThat((String) property.get("description")).endsWith(".").hasSizeGreaterThan(20);
        });
    }

    @Test
    void everyPropertyHasItsDefault() {
        assertThat(properties.stream()
                        .filter(property -> property.containsKey("defaultValue"))
                        .map(property -> property.get("name") + "=" + property.get("defaultValue")))
                .containsExactlyInAnyOrder(
                        "baton.enabled=true",
                        "baton.namespace=lock",
                        "baton.expire=30s",
                        "baton.max-hold=24h",
                        "baton.wait-time=10s",
                        "baton.command-timeout=2s",
                        "baton.recheck=1s",
                        "baton.patience=1s",
                        "baton.request-after=5s",
                        "baton.cache.enabled=false",
                        "baton.cache.on-timeout=fail",
                        "baton.cache.on-store-failure=fail",
                        "baton.log.slow-wait=5s",
                        "baton.metrics.max-scopes=100",
                        "baton.metrics.histogram=false",
                        "baton.observation.names=false",
                        "baton.board.enabled=false",
                        "baton.board.path=/baton",
                        "baton.board.show-values=never",
                        "baton.board.force-release=false",
                        "baton.on-lost=throw",
                        "baton.max-waiters=100000",
                        "baton.shutdown.await=10s",
                        "baton.wait-strategy=grant",
                        "baton.handler=auto",
                        "baton.replicas-to-ack=0",
                        "baton.failover=none",
                        "baton.polling.interval=100ms",
                        "baton.keyspace.configure=true",
                        "baton.cohort.limit=32",
                        "baton.cohort.max-time=20ms",
                        "baton.release=confirmed",
                        "baton.in-transaction=release");
    }

    @Test
    void onLostSuggestsItsValues() {
        List<String> values = metadata().read("$.hints[?(@.name == 'baton.on-lost')].values[*].value");
        assertThat(values)
                .containsExactly(Arrays.stream(OnLost.values())
                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                        .toArray(String[]::new));
    }

    @Test
    void strategiesAndHandlersAreExplained() {
        List<String> strategies = metadata().read("$.hints[?(@.name == 'baton.wait-strategy')].values[*].value");
        assertThat(strategies).containsExactly("grant", "keyspace", "polling");
        List<String> handlers = metadata().read("$.hints[?(@.name == 'baton.handler')].values[*].value");
        assertThat(handlers).containsExactly("auto", "script", "transaction");
    }

    @Test
    void failoversAreExplained() {
        List<String> failovers = metadata().read("$.hints[?(@.name == 'baton.failover')].values[*].value");
        assertThat(failovers).containsExactly("none", "wait");
    }

    @Test
    void releasesAreExplained() {
        List<String> releases = metadata().read("$.hints[?(@.name == 'baton.release')].values[*].value");
        assertThat(releases).containsExactly("confirmed", "pipelined");
    }

    @Test
    void waitTimeSuggestsUnbounded() {
        List<String> values = metadata().read("$.hints[?(@.name == 'baton.wait-time')].values[*].value");
        assertThat(values).containsExactly("unbounded", "0");
    }

    @Test
    void switchesOfHealthAndInfoAreDescribed() {
        assertThat(switches())
                .extracting(property -> property.get("name"), property -> property.get("defaultValue"))
                .containsExactlyInAnyOrder(
                        tuple("management.health.locks.enabled", true), tuple("management.info.locks.enabled", true));
        assertThat(switches()).allSatisfy(property -> {
            assertThat(property).containsEntry("type", "java.lang.Boolean");
            assertThat((String) property.get("description"))
                    .startsWith("Whether to enable ")
                    .endsWith(".");
        });
    }

    private static List<Map<String, Object>> switches() {
        return metadata().read("$.properties[?(@.name =~ /management\\.(health|info)\\..*/)]");
    }

    /** Returns the properties of a record, including those of nested records. */
    private static Stream<String> names(String prefix, Class<?> record) {
        return Arrays.stream(record.getRecordComponents()).flatMap(component -> {
            String name = prefix + dashed(component.getName());
            return component.getType().isRecord() ? names(name + ".", component.getType()) : Stream.of(name);
        });
    }

    /** Properties with a prefix of Boot, as for any endpoint, are described by Boot. */
    static List<Map<String, Object>> properties() {
        return metadata().read("$.properties[?(@.name =~ /baton\\..*/)]");
    }

    static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static DocumentContext metadata() {
        try (InputStream in =
                Objects.requireNonNull(ownFile(), FILE + " was not generated").openStream()) {
            return JsonPath.parse(in);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Reads the file beside the classes under test, because jars of Boot have files of the same name. */
    private static URL ownFile() throws IOException {
        String classes = LockProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return Collections.list(LockProperties.class.getClassLoader().getResources(FILE)).stream()
                .filter(url -> url.toString().contains(classes))
                .findFirst()
                .orElse(null);
    }
}
