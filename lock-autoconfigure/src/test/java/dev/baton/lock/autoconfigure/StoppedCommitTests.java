package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests a process that pauses in the middle of its transaction until its lease is over, and resumes. */
@Timeout(90)
@Tag("once")
class StoppedCommitTests {

    private static final Duration BOUND = Duration.ofSeconds(40);

    @Test
    void pausedTransactionLeavesNoTraceAndTheNextHolderCommits() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:book;DB_CLOSE_DELAY=-1";
        try (TestRedis redis = TestRedis.start()) {
            CommitProcess.runner(redis, url).run(context -> {
                JdbcTemplate database = context.getBean(JdbcTemplate.class);
                database.execute("create table book (entry varchar(20) primary key)");
                CommitProcess.Book book = context.getBean(CommitProcess.Book.class);
                try (JavaProcess stopped =
                        JavaProcess.start(CommitProcess.class, redis.host(), "" + redis.port(), url)) {
                    stopped.awaitLine("written", BOUND);
                    stopped.pause();
                    // granted after the lease of the paused process
                    book.write("next", () -> {});
                    stopped.println("go on");
                    stopped.resume();
                    assertThat(stopped.awaitLine("ended", BOUND)).isEqualTo("ended LockLostException");
                }
                assertThat(database.queryForList("select entry from book", String.class))
                        .containsExactly("next");
            });
        } finally {
            server.stop();
        }
    }
}
