package dev.baton.sample.fleet;

import java.math.BigDecimal;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/accounts")
class AccountController {

    private final Ledger ledger;

    AccountController(Ledger ledger) {
        this.ledger = ledger;
    }

    @GetMapping
    Map<String, BigDecimal> balances() {
        return ledger.balances();
    }

    /** Returns the balances after the transfer. */
    @PostMapping("/transfer")
    Map<String, BigDecimal> transfer(
            @RequestParam String from, @RequestParam String to, @RequestParam BigDecimal amount) {
        return ledger.transfer(from, to, amount);
    }
}
