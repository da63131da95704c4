package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.compatibility.Tickets.Show;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests the application after ahead-of-time processing: generated code only, without configuration classes. */
class AotTests {

    private static final Show OPERA = new Show("opera");
    private static final int TURNS = 100;
    private static final Duration BOUND = Duration.ofMinutes(2);

    @Test
    void processesOfGeneratedCodeExcludeEachOther() {
        LockRequest busy = LockRequest.of("tickets", new Show("busy"));
        LockRequest opera = LockRequest.of("tickets", OPERA);
        try (ConfigurableApplicationContext context = Application.start();
                Lease lease = locks(context).acquire(busy);
                JavaProcess first = sale();
                JavaProcess second = sale()) {
            List<JavaProcess> sales = List.of(first, second);
            sales.forEach(sale -> assertThat(sale.awaitLine("ready", BOUND)).isEqualTo("ready, generated: true"));

            try (Lease untilBothWait = locks(context).acquire(opera)) {
                sales.forEach(sale -> sale.println("go"));
                await().atMost(BOUND).until(() -> locks(context).inspect(opera).waiting() == sales.size());
                assertThat(untilBothWait.release()).isTrue();
            }
            assertThat(sales).map(AotTests::contended).allMatch(times -> times > 0);
            for (JavaProcess sale : sales) {
                assertThat(sale.awaitLine("soon", BOUND)).isEqualTo("soon: busy: busy, tickets.busy");
                assertThat(sale.awaitLine("now", BOUND)).isEqualTo("now: false");
                assertThat(sale.awaitLine("paid", BOUND)).isEqualTo("paid: 10");
                assertThat(sale.awaitExit(BOUND)).isZero();
            }
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(TestRedis.shared().command("GET", OPERA.counter())).isEqualTo(String.valueOf(2 * TURNS));
    }

    private static LockTemplate locks(ConfigurableApplicationContext context) {
        return context.getBean(LockTemplate.class);
    }

    private static int contended(JavaProcess sale) {
        return Integer.parseInt(sale.awaitLine("contended: ", BOUND).substring("contended: ".length()));
    }

    private static JavaProcess sale() {
        return JavaProcess.start(
                List.of("-Dspring.aot.enabled=true"),
                CompatibilityApplication.class,
                Application.arguments("--sell=" + TURNS, "--logging.pattern.console=%m%n"));
    }
}
