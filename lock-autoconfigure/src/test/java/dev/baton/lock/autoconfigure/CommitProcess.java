package dev.baton.lock.autoconfigure;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Main class of another JVM, which writes a row under a lock of one second. Arguments: host and port of Redis, URL of
 * the database. Prints {@code written} before the commit, waits for a line, and prints the outcome.
 */
final class CommitProcess {

    private CommitProcess() {}

    public static void main(String[] args) {
        runner(args[0], Integer.parseInt(args[1]), args[2]).run(context -> {
            try {
                context.getBean(Book.class).write("stopped", CommitProcess::awaitLine);
                System.out.println("ended committed");
            } catch (RuntimeException ex) {
                System.out.println("ended " + ex.getClass().getSimpleName());
            }
        });
        System.exit(0);
    }

    static ApplicationContextRunner runner(TestRedis redis, String url) {
        return runner(redis.host(), redis.port(), url);
    }

    private static ApplicationContextRunner runner(String host, int port, String url) {
        return Contexts.withDatabase(Contexts.withoutRedis(), "replaced")
                .withBean(Book.class)
                .withPropertyValues(
                        "spring.data.redis.host=" + host,
                        "spring.data.redis.port=" + port,
                        "spring.datasource.url=" + url,
                        "spring.datasource.username=sa",
                        "spring.datasource.driver-class-name=org.h2.Driver",
                        "baton.wait-time=20s");
    }

    private static void awaitLine() {
        System.out.println("written");
        try {
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    static class Book {

        private final JdbcTemplate database;

        Book(JdbcTemplate database) {
            this.database = database;
        }

        @Transactional
        @DistributedLock(value = "book", expire = 3)
        public void write(String entry, Runnable meanwhile) {
            database.update("insert into book values (?)", entry);
            meanwhile.run();
        }
    }
}
