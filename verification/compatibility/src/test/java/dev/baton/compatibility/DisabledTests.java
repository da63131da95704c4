package dev.baton.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.compatibility.Tickets.Show;
import dev.baton.compatibility.Tickets.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests that the methods of the application, which ask for their lease, work while nothing is locked. */
class DisabledTests {

    @Test
    void methodsHaveTheirLease() {
        try (ConfigurableApplicationContext context = Application.start("--baton.enabled=false")) {
            Tickets tickets = context.getBean(Tickets.class);
            Ticket first = tickets.next(new Show("disabled"));
            assertThat(first.contended()).isFalse();
            assertThat(tickets.nextNow(new Show("disabled")))
                    .hasValueSatisfying(next -> assertThat(next.number()).isEqualTo(first.number() + 1));
            assertThat(context.getBean(Desk.class).serve(1)).isGreaterThan(Duration.ofDays(365));
        }
    }
}
