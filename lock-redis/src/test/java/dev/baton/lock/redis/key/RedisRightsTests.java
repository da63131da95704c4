package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.DocumentedCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the rights in messages are those that docs/operations.md lists. */
class RedisRightsTests {

    private static List<String> rights(LockHandler handler, WaitStrategy strategy, boolean configures) {
        return Arrays.asList(RedisRights.of("shop:lock", handler, strategy, configures, false, false, false)
                .split(" "));
    }

    private static List<String> documented(List<String> commands) {
        List<String> rights = new ArrayList<>(List.of("~shop:lock:*", "resetchannels", "&shop:lock:*"));
        rights.addAll(Arrays.asList(DocumentedCommands.rules(commands).split(" ")));
        return rights;
    }

    @ParameterizedTest
    @EnumSource(
            value = LockHandler.class,
            names = {"AUTO", "SCRIPT"})
    void scriptsNeedWhatIsDocumented(LockHandler handler) {
        assertThat(rights(handler, WaitStrategy.GRANT, true))
                .containsExactlyInAnyOrderElementsOf(documented(DocumentedCommands.needed()));
    }

    @Test
    void clusterNeedsWhatIsDocumentedInAddition() {
        List<String> commands = new ArrayList<>(DocumentedCommands.needed());
        commands.addAll(DocumentedCommands.ofClusters());
        assertThat(RedisRights.of("shop:lock", LockHandler.AUTO, WaitStrategy.GRANT, true, true, false, false)
                        .split(" "))
                .containsExactlyInAnyOrderElementsOf(documented(commands));
    }

    @Test
    void grantsThatHaveToBeConfirmedNeedWhatIsDocumentedInAddition() {
        List<String> commands = new ArrayList<>(DocumentedCommands.needed());
        commands.addAll(DocumentedCommands.ofFailovers());
        assertThat(RedisRights.of("shop:lock", LockHandler.SCRIPT, WaitStrategy.GRANT, true, false, true, true)
                        .split(" "))
                .containsExactlyInAnyOrderElementsOf(documented(commands))
                .contains("+wait", "+info");
        assertThat(RedisRights.of("shop:lock", LockHandler.SCRIPT, WaitStrategy.GRANT, true, false, true, false))
                .contains("+wait")
                .doesNotContain("+info");
    }

    @Test
    void readmeGivesTheSameRightsAsThePage() {
        assertThat(rules(DocumentedCommands.linesOfReadme()))
                .containsExactlyInAnyOrderElementsOf(rules(DocumentedCommands.lines()));
    }

    private static List<String> rules(List<String> lines) {
        return lines.stream()
                .flatMap(line -> Arrays.stream(
                        line.replaceFirst("^ACL SETUSER baton ", "").split(" ")))
                .toList();
    }

    @Test
    void transactionsNeedWhatIsDocumented() {
        List<String> commands = new ArrayList<>(DocumentedCommands.ofTransactions());
        commands.addAll(DocumentedCommands.others());
        assertThat(rights(LockHandler.TRANSACTION, WaitStrategy.POLLING, true))
                .containsExactlyInAnyOrderElementsOf(documented(commands));
    }

    @Test
    void keyspaceNeedsItsChannelsAndPerhapsTheConfiguration() {
        List<String> usual = rights(LockHandler.SCRIPT, WaitStrategy.GRANT, true);
        List<String> configured = new ArrayList<>(usual);
        configured.addAll(List.of("&__keyspace@*", "+config|get", "+config|set"));
        assertThat(rights(LockHandler.SCRIPT, WaitStrategy.KEYSPACE, true)).isEqualTo(configured);
        List<String> watched = new ArrayList<>(usual);
        watched.add("&__keyspace@*");
        assertThat(rights(LockHandler.SCRIPT, WaitStrategy.KEYSPACE, false)).isEqualTo(watched);
    }
}
