package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockCapabilities.Handler;
import dev.baton.lock.LockCapabilities.Topology;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a template says of itself and of its server. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class CapabilitiesTests extends OnBackend {

    CapabilitiesTests(Backend backend) {
        super(backend);
    }

    @Test
    void serverIsNamedIfItSaysWhatItIs() {
        String info = String.valueOf(redis.command("INFO", "server"));
        String version = info.replaceAll("(?s).*redis_version:([\\d.]+).*", "$1");
        // before 7.0 a script cannot know
        Optional<String> server = version.startsWith("6.") ? Optional.empty() : Optional.of("redis " + version);

        LockTemplate template = processes.start();
        template.execute(LockRequest.of("x"), lease -> 1);
        assertThat(template.capabilities())
                .isEqualTo(new LockCapabilities(Handler.SCRIPT, WaitStrategy.GRANT, Topology.STANDALONE, server));
    }

    @Test
    void storeIsDescribedWithoutAskingTheServer() {
        LockTemplate template = processes.start();
        template.execute(LockRequest.of("x"), lease -> 1);
        Optional<String> server = template.capabilities().server();
        redis.pause();
        long start = System.nanoTime();
        LockAdministration.StoreDescription store = template.administration().describeStore();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
        redis.resume();
        assertThat(store.location())
                .isEqualTo("Redis at " + redis.host() + ":" + redis.port() + " (spring.data.redis.*)");
        assertThat(store.namespace()).isNotEmpty();
        assertThat(store.capabilities().handler()).isEqualTo(Handler.SCRIPT);
        assertThat(store.capabilities().server()).isEqualTo(server);
    }

    @Test
    void serverThatIsAwayIsLeftOutInTime() {
        LockTemplate template = processes.start(builder -> builder.commandTimeout(Duration.ofMillis(300)));
        redis.pause();
        long start = System.nanoTime();
        assertThat(template.capabilities().server()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        redis.resume();
        template.close();
        assertThat(template.capabilities().topology()).isEqualTo(Topology.STANDALONE);
        assertThat(template.isListening()).isFalse();
    }
}
