package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests the examples of {@code docs/fencing.md}: a row guarded by the token, and two contexts that hold the lock in
 * turn.
 */
@Timeout(60)
@Tag("once")
class FencedAccountsTests {

    private static final Path PAGE = Path.of("..", "docs", "fencing.md");
    private static final Path SOURCE =
            Path.of("src", "test", "java", "dev", "baton", "lock", "autoconfigure", "FencedAccountsTests.java");
    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private final TestRedis redis = TestRedis.start();
    private final ApplicationContextRunner runner = Contexts.withDatabase(Contexts.with(redis), "fencing");
    private final JdbcTemplate database =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:fencing;DB_CLOSE_DELAY=-1", "sa", ""));
    private final FencedAccounts accounts = new FencedAccounts(database);

    @BeforeEach
    void createTable() throws Exception {
        database.execute(blocks("sql").get(0));
        database.update("INSERT INTO account (id, balance) VALUES (42, 0)");
    }

    @AfterEach
    void end() {
        database.execute("DROP ALL OBJECTS");
        redis.close();
    }

    /** The page has one complete source file: imports, and two classes that are nested and static in this class. */
    @Test
    void pageShowsTheTestedCode() throws Exception {
        String source = Files.readString(SOURCE);
        List<String> blocks = blocks("java");
        assertThat(blocks).hasSize(1);
        String page = blocks.get(0);
        int classes = page.indexOf("class ");
        assertThat(source.lines())
                .containsAll(page.substring(0, classes).lines().toList());
        assertThat(unindented(source).replace("static class ", "class ")).contains(unindented(page.substring(classes)));
    }

    @Test
    void rowRefusesAHolderWithADeletedKey() {
        withTwoProcesses((one, other) -> {
            Lease stale = one.acquire(REQUEST);
            long balance = accounts.read(42, stale.fencingToken());
            redis.command("DEL", "lock:lock:{account.42}");
            new Deposits(other, accounts).deposit(42, 100);
            assertThatThrownBy(() -> accounts.write(42, balance + 1, stale.fencingToken()))
                    .isInstanceOf(OptimisticLockingFailureException.class)
                    .hasMessageContaining("token " + stale.fencingToken());
            assertThat(balance()).isEqualTo(100);
            stale.release();
        });
    }

    @Test
    void rowRefusesAHolderWithAnExpiredLease() {
        withTwoProcesses((one, other) -> {
            Lease stale = one.acquire(REQUEST.expire(Duration.ofSeconds(3)).renew(Renewal.NEVER));
            long balance = accounts.read(42, stale.fencingToken());
            new Deposits(other, accounts).deposit(42, 100);
            assertThatThrownBy(() -> accounts.write(42, balance + 1, stale.fencingToken()))
                    .isInstanceOf(OptimisticLockingFailureException.class);
            assertThat(balance()).isEqualTo(100);
        });
    }

    @Test
    void holderMayWriteRepeatedly() {
        withTwoProcesses((one, other) -> {
            try (Lease lease = one.acquire(REQUEST)) {
                accounts.write(42, 1, lease.fencingToken());
                accounts.write(42, 2, lease.fencingToken());
                // a re-entry has the same token
                new Deposits(one, accounts).deposit(42, 1);
                assertThat(balance()).isEqualTo(3);
            }
        });
    }

    @Test
    void readOfTheNextHolderMakesTheRowRefuseThePreviousHolder() {
        withTwoProcesses((one, other) -> {
            Lease stale = one.acquire(REQUEST);
            redis.command("DEL", "lock:lock:{account.42}");
            try (Lease next = other.acquire(REQUEST)) {
                long balance = accounts.read(42, next.fencingToken());
                assertThatThrownBy(() -> accounts.write(42, 1, stale.fencingToken()))
                        .isInstanceOf(OptimisticLockingFailureException.class);
                accounts.write(42, balance + 100, next.fencingToken());
            }
            assertThat(balance()).isEqualTo(100);
            stale.release();
        });
    }

    @Test
    void lateWriteBeforeTheRowHasSeenTheNextTokenIsNotLost() {
        withTwoProcesses((one, other) -> {
            Lease stale = one.acquire(REQUEST);
            redis.command("DEL", "lock:lock:{account.42}");
            try (Lease next = other.acquire(REQUEST)) {
                accounts.write(42, 1, stale.fencingToken());
                long balance = accounts.read(42, next.fencingToken());
                accounts.write(42, balance + 100, next.fencingToken());
            }
            assertThat(balance()).isEqualTo(101);
            stale.release();
        });
    }

    @Test
    void lateWriteDuringTheTransactionOfTheNextHolderWaitsAndIsRefused() {
        runner.run(context -> {
            FencedAccounts inTransaction = new FencedAccounts(context.getBean(JdbcTemplate.class));
            CompletableFuture<Void> late = context.getBean(TransactionTemplate.class)
                    .execute(status -> {
                        long balance = inTransaction.read(42, 8);
                        CompletableFuture<Void> write = CompletableFuture.runAsync(
                                () -> accounts.write(42, 1, 7), task -> new Thread(task).start());
                        awaitBlocked();
                        inTransaction.write(42, balance + 100, 8);
                        return write;
                    });
            assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(OptimisticLockingFailureException.class);
            assertThat(balance()).isEqualTo(100);
        });
    }

    @Test
    void exampleRunsWhileNothingIsLocked() {
        Contexts.withDatabase(Contexts.withoutRedis(), "fencing")
                .withPropertyValues("baton.enabled=false")
                .withBean(FencedAccounts.class, () -> accounts)
                .withBean(AnnotatedDeposits.class)
                .run(context -> {
                    Deposits deposits = new Deposits(locks(context), accounts);
                    deposits.deposit(42, 100);
                    context.getBean(AnnotatedDeposits.class).deposit(42, 20);
                    deposits.deposit(42, 3);
                    assertThat(balance()).isEqualTo(123);
                });
    }

    private void awaitBlocked() {
        await().atMost(Duration.ofSeconds(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.queryForObject(
                                "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL",
                                Integer.class)
                        == 1);
    }

    private void withTwoProcesses(TwoProcesses test) {
        runner.run(a -> runner.run(b -> test.run(locks(a), locks(b))));
    }

    private static LockOperations locks(ApplicationContext context) {
        return context.getBean(LockOperations.class);
    }

    private long balance() {
        return database.queryForObject("SELECT balance FROM account WHERE id = 42", Long.class);
    }

    /** Returns the code blocks of this language on the page. */
    private static List<String> blocks(String language) throws Exception {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(MatchResult::group)
                .map(block -> block.substring(block.indexOf('\n') + 1, block.length() - 3))
                .toList();
    }

    private static String unindented(String text) {
        return text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
    }

    @FunctionalInterface
    private interface TwoProcesses {

        void run(LockOperations one, LockOperations other) throws Exception;
    }

    static class FencedAccounts {

        private final JdbcTemplate database;

        FencedAccounts(JdbcTemplate database) {
            this.database = database;
        }

        /** Reads the balance, after the row has been set to refuse writes with an earlier token. */
        long read(long id, long token) {
            int rows = database.update("UPDATE account SET fence = ? WHERE id = ? AND fence <= ?", token, id, token);
            checkWritten(rows, id, token);
            return database.queryForObject("SELECT balance FROM account WHERE id = ?", Long.class, id);
        }

        void write(long id, long balance, long token) {
            int rows = database.update(
                    "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?", balance, token, id, token);
            checkWritten(rows, id, token);
        }

        private static void checkWritten(int rows, long id, long token) {
            if (rows == 0) {
                throw new OptimisticLockingFailureException("account " + id
                        + " was taken over by a later holder than that of token " + token + ", or does not exist");
            }
        }
    }

    static class Deposits {

        private final LockOperations locks;
        private final FencedAccounts accounts;

        Deposits(LockOperations locks, FencedAccounts accounts) {
            this.locks = locks;
            this.accounts = accounts;
        }

        void deposit(long id, long amount) {
            locks.executeWithoutResult("account", id, lease -> {
                long balance = accounts.read(id, lease.fencingToken());
                accounts.write(id, balance + amount, lease.fencingToken());
            });
        }
    }

    static class AnnotatedDeposits {

        private final FencedAccounts accounts;

        AnnotatedDeposits(FencedAccounts accounts) {
            this.accounts = accounts;
        }

        @DistributedLock(scope = "account", key = "#id")
        void deposit(long id, long amount) {
            long token = LockContext.currentLease().fencingToken();
            accounts.write(id, accounts.read(id, token) + amount, token);
        }
    }
}
