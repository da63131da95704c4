package dev.baton.compatibility;

import dev.baton.lock.annotation.DistributedLock;
import java.math.BigDecimal;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads a balance and writes it back in a transaction: the lock has to be around it. */
@Service
class Ledger {

    private final JdbcClient jdbc;

    Ledger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the new balance. */
    @DistributedLock(scope = "ledger", key = "#account", expire = 10)
    @Transactional
    public BigDecimal pay(String account, BigDecimal amount) {
        BigDecimal balance = balance(account).add(amount);
        jdbc.sql("update account set balance = ? where id = ?")
                .params(balance, account)
                .update();
        return balance;
    }

    BigDecimal balance(String account) {
        return jdbc.sql("select balance from account where id = ?")
                .param(account)
                .query(BigDecimal.class)
                .single();
    }
}
