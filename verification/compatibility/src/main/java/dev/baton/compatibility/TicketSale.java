package dev.baton.compatibility;

import dev.baton.compatibility.Tickets.Show;
import dev.baton.compatibility.Tickets.Ticket;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** {@code --sell=N}: says "ready", waits for a line on standard input, and draws N tickets while other processes do. */
@Component
class TicketSale implements ApplicationRunner {

    static final String OPTION = "sell";

    private static final Logger log = LoggerFactory.getLogger(TicketSale.class);

    private final Tickets tickets;
    private final Ledger ledger;

    TicketSale(Tickets tickets, Ledger ledger) {
        this.tickets = tickets;
        this.ledger = ledger;
    }

    @Override
    public void run(ApplicationArguments args) throws IOException {
        List<String> counts = args.getOptionValues(OPTION);
        if (counts != null) {
            sell(Integer.parseInt(counts.get(0)));
        }
    }

    private void sell(int count) throws IOException {
        log.info("ready, generated: {}", AotDetector.useGeneratedArtifacts());
        if (System.in.read() < 0) {
            throw new IOException("no signal was given; write a line to standard input");
        }
        int contended = 0;
        for (int i = 0; i < count; i++) {
            Ticket ticket = tickets.next(new Show("opera"));
            contended += ticket.contended() ? 1 : 0;
        }
        log.info("contended: {}", contended);
        log.info("soon: {}", tickets.nextSoon(new Show("busy")));
        log.info("now: {}", tickets.nextNow(new Show("busy")).isPresent());
        log.info("paid: {}", ledger.pay("till", BigDecimal.TEN));
    }
}
