package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@FleetContext
class TransferTests {

    @Autowired
    private Ledger ledger;

    @Autowired
    private FleetClient client;

    @Test
    void concurrentTransfersAreNotLost() throws Exception {
        Map<String, BigDecimal> before = ledger.balances();
        Callable<?> transfer = () -> ledger.transfer("alice", "bob", new BigDecimal("0.10"));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Object>> transfers = IntStream.range(0, 200)
                    .<Callable<Object>>mapToObj(i -> transfer::call)
                    .toList();
            for (Future<Object> done : threads.invokeAll(transfers)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(ledger.balances())
                .containsEntry("alice", before.get("alice").subtract(new BigDecimal("20.00")))
                .containsEntry("bob", before.get("bob").add(new BigDecimal("20.00")));
    }

    @Test
    void refusedTransferChangesNothingAndReleasesTheLock() {
        Map<String, BigDecimal> before = ledger.balances();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ledger.transfer("alice", "bob", new BigDecimal("1000")))
                .withMessageStartingWith("account alice lacks ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ledger.transfer("alice", "carol", BigDecimal.ONE))
                .withMessage("no account carol; there are [alice, bob]");
        assertThat(ledger.balances()).isEqualTo(before);
        ledger.transfer("bob", "alice", BigDecimal.ONE);
        assertThat(ledger.transfer("alice", "bob", BigDecimal.ONE)).isEqualTo(before);
    }

    @Test
    void refusedTransferIsAnsweredWithTheReason() {
        FleetClient.Answer answer =
                client.post("/accounts/transfer?from=alice&to=alice&amount=1").join();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("detail").asString()).contains("give two accounts and an amount above 0");
    }

    @Test
    void transferIsAnsweredWithTheBalances() {
        FleetClient.Answer answer =
                client.post("/accounts/transfer?from=bob&to=alice&amount=0.50").join();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("alice").decimalValue())
                .isEqualByComparingTo(ledger.balances().get("alice"));
    }
}
