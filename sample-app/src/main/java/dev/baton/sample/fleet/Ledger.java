package dev.baton.sample.fleet;

import dev.baton.lock.annotation.DistributedLock;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The balances of the accounts. Reads, computes and writes: without the lock, transfers at the same time would get lost. */
@Service
class Ledger {

    private final JdbcClient jdbc;

    Ledger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The lock is around the transaction: the next holder sees what was committed. One lock for all accounts. */
    @DistributedLock(scope = "ledger", expire = 5)
    @Transactional
    public Map<String, BigDecimal> transfer(String from, String to, BigDecimal amount) {
        if (amount.signum() <= 0 || from.equals(to)) {
            throw new IllegalArgumentException("cannot transfer " + amount + " from " + from + " to " + to
                    + "; give two accounts and an amount above 0");
        }
        BigDecimal left = balance(from).subtract(amount);
        if (left.signum() < 0) {
            throw new IllegalArgumentException("account " + from + " lacks " + left.negate() + " for this transfer");
        }
        BigDecimal raised = balance(to).add(amount);
        write(from, left);
        write(to, raised);
        return balances();
    }

    Map<String, BigDecimal> balances() {
        Map<String, BigDecimal> balances = new TreeMap<>();
        jdbc.sql("select id, balance from account")
                .query((row, index) -> balances.put(row.getString(1), row.getBigDecimal(2)))
                .list();
        return balances;
    }

    private BigDecimal balance(String id) {
        return jdbc.sql("select balance from account where id = ?")
                .param(id)
                .query(BigDecimal.class)
                .optional()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no account " + id + "; there are " + balances().keySet()));
    }

    private void write(String id, BigDecimal balance) {
        jdbc.sql("update account set balance = ? where id = ?")
                .params(balance, id)
                .update();
    }
}
