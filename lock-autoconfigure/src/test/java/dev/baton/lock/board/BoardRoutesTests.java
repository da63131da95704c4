package dev.baton.lock.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import dev.baton.lock.Lease;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.actuate.ForceReleaseAudit;
import dev.baton.lock.actuate.NameView;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

/** Tests the HTTP answers of the board for the locks of two processes. */
class BoardRoutesTests {

    private static final LockRequest REQUEST = LockRequest.of("account", "a").onLost(OnLost.LOG);

    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final CurrentLocks current = new CurrentLocks();
    private final LockTemplate locks = LockTemplate.builder(store)
            .time(store.clock())
            .listener(current)
            .shutdownAwait(Duration.ZERO)
            .build();
    private final LockTemplate other = LockTemplate.builder(store.newProcess())
            .time(store.clock())
            .shutdownAwait(Duration.ZERO)
            .build();
    private final List<Object> published = new ArrayList<>();
    private final MockMvc open = board(NameView.SHOWN, true);

    @AfterEach
    void stop() {
        locks.close();
        other.close();
    }

    private MockMvc board(NameView names, boolean forceRelease) {
        LockBoard board = new LockBoard(
                locks,
                current,
                new BoardHistory(store.clock()),
                names,
                Duration.ofSeconds(30),
                forceRelease,
                new ForceReleaseAudit(published::add)::released);
        return MockMvcBuilders.routerFunctions(new BoardRoutes(board).under("/ops/locks"))
                .build();
    }

    private static MockHttpServletResponse ask(MockMvc board, MockHttpServletRequestBuilder request) throws Exception {
        return board.perform(request).andReturn().getResponse();
    }

    private static String look(MockMvc board) throws Exception {
        MockHttpServletResponse answer = ask(board, MockMvcRequestBuilders.get("/ops/locks/api/locks"));
        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getContentType()).startsWith("application/json");
        assertThat(answer.getHeader("Cache-Control")).isEqualTo("no-store");
        return answer.getContentAsString(StandardCharsets.UTF_8);
    }

    @Test
    void lockHasItsHolderAndItsQueue() throws Exception {
        try (Lease lease = other.acquire(REQUEST)) {
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(REQUEST.owner("next")).toCompletableFuture();
            await().until(() -> locks.inspect(REQUEST).waiting() == 1);
            String json = look(open);
            assertThat(JsonPath.<String>read(json, "$.locks[0].name")).isEqualTo("account.a");
            assertThat(JsonPath.<String>read(json, "$.locks[0].holder.token")).isEqualTo("" + lease.fencingToken());
            assertThat(JsonPath.<Boolean>read(json, "$.locks[0].holder.here")).isFalse();
            assertThat(JsonPath.<Integer>read(json, "$.locks[0].holder.remainingMillis"))
                    .isBetween(1, 30_000);
            assertThat(JsonPath.<List<String>>read(json, "$.locks[0].queue[*].label"))
                    .singleElement()
                    .satisfies(label -> assertThat(label).endsWith("/next"));
            assertThat(JsonPath.<List<Object>>read(json, "$.slices")).hasSize(59);
            assertThat(JsonPath.<Object>read(json, "$.problem")).isNull();
            waiting.cancel(false);
        }
    }

    @Test
    void sharedLockHasItsLastReaderAndTheNumberOfTheOthers() throws Exception {
        LockRequest read = REQUEST.mode(LockMode.SHARED);
        try (Lease last = other.acquire(read.owner("last").expire(Duration.ofSeconds(20)));
                Lease one = locks.acquire(read.owner("one").expire(Duration.ofSeconds(10)))) {
            assertThat(one.fencingToken()).isEqualTo(last.fencingToken());
            assertThat(JsonPath.<String>read(look(open), "$.locks[0].holder.label"))
                    .endsWith("/last and 1 reader");
            try (Lease two = locks.acquire(read.owner("two").expire(Duration.ofSeconds(10)))) {
                assertThat(two.isHeld()).isTrue();
                await().atMost(Duration.ofSeconds(5))
                        .untilAsserted(() -> assertThat(JsonPath.<String>read(look(open), "$.locks[0].holder.label"))
                                .endsWith("/last and 2 readers"));
            }
        }
    }

    @Test
    void semaphoreHasItsPermitsAndAllLoseThemByForce() throws Exception {
        LockRequest permits = REQUEST.permits(new LockPermits(3, 1));
        Lease first = other.acquire(permits.expire(Duration.ofSeconds(10)));
        Lease last = locks.acquire(permits.expire(Duration.ofSeconds(20)));
        try (Lease lock = other.acquire(REQUEST)) {
            String json = look(open);
            assertThat(JsonPath.<List<String>>read(json, "$.locks[*].id"))
                    .doesNotHaveDuplicates()
                    .hasSize(2);
            Map<String, Object> row = JsonPath.<List<Map<String, Object>>>read(json, "$.locks[?(@.permits)]")
                    .get(0);
            assertThat(JsonPath.<String>read(row, "$.holder.label")).endsWith(" and 1 other");
            assertThat(JsonPath.<Integer>read(row, "$.permits.size")).isEqualTo(3);
            assertThat(JsonPath.<Integer>read(row, "$.permits.used")).isEqualTo(2);
            MockHttpServletResponse answer = ask(
                    open,
                    MockMvcRequestBuilders.post("/ops/locks/api/force-release")
                            .header("X-Baton-Board", "1")
                            .param("id", JsonPath.<String>read(row, "$.id"))
                            .param("token", JsonPath.<String>read(row, "$.holder.token")));
            assertThat(answer.getStatus()).isEqualTo(200);
            await().until(() -> !first.isHeld() && !last.isHeld());
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void waitersOfThisProcessAtConditionsAreCounted() throws Exception {
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            try (Lease lease = locks.acquire(REQUEST.waitUnbounded())) {
                return lease.condition("notEmpty").await(Duration.ofSeconds(60)).inTime();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
        await().until(() -> !current.atConditions().isEmpty() && !locks.isLocked(REQUEST));
        await().untilAsserted(() -> {
            String json = look(open);
            assertThat(JsonPath.<List<String>>read(json, "$.locks[*].name")).containsExactly("account.a");
            assertThat(JsonPath.<Object>read(json, "$.locks[0].holder")).isNull();
            assertThat(JsonPath.<String>read(json, "$.locks[0].conditions[0].name"))
                    .isEqualTo("notEmpty");
            assertThat(JsonPath.<Integer>read(json, "$.locks[0].conditions[0].waiting"))
                    .isEqualTo(1);
        });
        try (Lease signaller = other.acquire(REQUEST)) {
            signaller.condition("notEmpty").signal();
        }
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void ownLocksAreMarked() throws Exception {
        try (Lease lease = locks.acquire(REQUEST)) {
            assertThat(JsonPath.<Boolean>read(look(open), "$.locks[0].holder.here"))
                    .isTrue();
        }
    }

    @Test
    void deadlockHasItsMembers() throws Exception {
        LockRequest second = LockRequest.of("account", "b").onLost(OnLost.LOG);
        Lease mine = locks.acquire(REQUEST.owner("mine"));
        Lease theirs = other.acquire(second.owner("theirs"));
        CompletableFuture<Lease> here = locks.acquireAsync(second.owner("mine")).toCompletableFuture();
        CompletableFuture<Lease> there =
                other.acquireAsync(REQUEST.owner("theirs")).toCompletableFuture();
        await().until(() ->
                locks.inspect(REQUEST).waiting() + locks.inspect(second).waiting() == 2);
        assertThat(JsonPath.<List<String>>read(look(open), "$.deadlocks[0][*].waitsFor"))
                .containsExactlyInAnyOrder("account.a", "account.b");
        here.cancel(false);
        there.cancel(false);
        mine.close();
        theirs.close();
    }

    /** This process neither holds nor awaits a lock of the deadlock. */
    @Test
    void deadlockOfTwoOtherProcessesIsShown() throws Exception {
        LockRequest second = LockRequest.of("account", "b").onLost(OnLost.LOG);
        try (LockTemplate third = LockTemplate.builder(store.newProcess())
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .build()) {
            Lease one = other.acquire(REQUEST.owner("one"));
            Lease two = third.acquire(second.owner("two"));
            CompletableFuture<Lease> here =
                    other.acquireAsync(second.owner("one")).toCompletableFuture();
            CompletableFuture<Lease> there =
                    third.acquireAsync(REQUEST.owner("two")).toCompletableFuture();
            await().until(() ->
                    locks.inspect(REQUEST).waiting() + locks.inspect(second).waiting() == 2);
            assertThat(JsonPath.<List<String>>read(look(open), "$.deadlocks[0][*].label"))
                    .hasSize(2)
                    .anyMatch(label -> label.endsWith("/one"))
                    .anyMatch(label -> label.endsWith("/two"));
            here.cancel(false);
            there.cancel(false);
            one.close();
            two.close();
        }
    }

    @Test
    void keysAreHiddenByDefault() throws Exception {
        try (Lease mine = locks.acquire(REQUEST);
                Lease theirs = other.acquire(LockRequest.of("account", "a-secret"))) {
            String json = look(board(NameView.SANITIZED, true));
            assertThat(JsonPath.<List<String>>read(json, "$.locks[*].name"))
                    .containsExactly("account.******", "account.******");
            assertThat(json).doesNotContain("account.a", "a-secret");
        }
    }

    @Test
    void pageMayRunOnlyItsOwnScript() throws Exception {
        for (String path : List.of("/ops/locks", "/ops/locks/")) {
            MockHttpServletResponse answer = ask(open, MockMvcRequestBuilders.get(path));
            String page = answer.getContentAsString(StandardCharsets.UTF_8);
            assertThat(answer.getContentType()).isEqualTo("text/html;charset=UTF-8");
            assertThat(answer.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.getHeader("Content-Security-Policy"))
                    .startsWith("default-src 'none'; ")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe")
                    .contains("script-src '" + hash(page, "script") + "'", "style-src '" + hash(page, "style") + "'");
            // the name of an XML namespace is no address
            assertThat(page.replace("http://www.w3.org/2000/svg", ""))
                    .doesNotContain("http://", "https://", "innerHTML", "outerHTML", "insertAdjacentHTML");
        }
    }

    private static String hash(String page, String element) throws Exception {
        Matcher found = Pattern.compile("<" + element + ">(.*?)</" + element + ">", Pattern.DOTALL)
                .matcher(page);
        assertThat(found.find()).isTrue();
        return "sha256-"
                + Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-256")
                                .digest(found.group(1).getBytes(StandardCharsets.UTF_8)));
    }

    private static MockHttpServletRequestBuilder take(String json) {
        return MockMvcRequestBuilders.post("/ops/locks/api/force-release")
                .param("id", JsonPath.<String>read(json, "$.locks[0].id"))
                .param("token", JsonPath.<String>read(json, "$.locks[0].holder.token"))
                .header("Host", "ops.example:8443");
    }

    @Test
    void lockIsForceReleasedAndItsHolderIsNotified() throws Exception {
        MockMvc sanitizing = board(NameView.SANITIZED, true);
        try (Lease lease = other.acquire(REQUEST)) {
            MockHttpServletResponse answer =
                    ask(sanitizing, take(look(sanitizing)).header("X-Baton-Board", "1"));
            assertThat(answer.getStatus()).as(answer.getContentAsString()).isEqualTo(200);
            await().until(() -> !lease.isHeld());
        }
        assertThat(JsonPath.<List<Object>>read(look(sanitizing), "$.locks")).isEmpty();
    }

    @Test
    void userThatForceReleasesALockIsAudited() throws Exception {
        try (Lease lease = other.acquire(REQUEST.owner("night-job"))) {
            String json = look(open);
            ask(open, take(json));
            assertThat(published).as("events of refused requests").isEmpty();
            ask(open, take(json).header("X-Baton-Board", "1").principal(() -> "alice"));
            await().until(() -> !lease.isHeld());
        }
        assertThat(published).singleElement().isInstanceOfSatisfying(AuditApplicationEvent.class, published -> {
            AuditEvent event = published.getAuditEvent();
            assertThat(event.getType()).isEqualTo("LOCK_FORCE_RELEASED");
            assertThat(event.getPrincipal()).isEqualTo("alice");
            assertThat(event.getData())
                    .containsEntry("lock", "account.a")
                    .containsEntry("released", true)
                    .hasEntrySatisfying(
                            "holder", holder -> assertThat((String) holder).endsWith("/night-job"));
        });
        try (Lease lease = other.acquire(REQUEST)) {
            ask(open, take(look(open)).header("X-Baton-Board", "1"));
        }
        assertThat(((AuditApplicationEvent) published.get(1)).getAuditEvent().getPrincipal())
                .isEqualTo("unknown");
    }

    @Test
    void lockIsNotForceReleasedIfItsHolderHasChanged() throws Exception {
        String seen;
        try (Lease lease = other.acquire(REQUEST)) {
            seen = look(open);
        }
        MockHttpServletResponse free = ask(open, take(seen).header("X-Baton-Board", "1"));
        assertThat(free.getContentAsString()).contains("already free");
        try (Lease lease = other.acquire(REQUEST)) {
            MockHttpServletResponse answer = ask(open, take(seen).header("X-Baton-Board", "1"));
            assertThat(answer.getStatus()).isEqualTo(409);
            assertThat(locks.isLocked(REQUEST)).isTrue();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void forceReleaseIsRefusedByDefault() throws Exception {
        MockMvc looking = board(NameView.SHOWN, false);
        try (Lease lease = other.acquire(REQUEST)) {
            String json = look(looking);
            assertThat(JsonPath.<Boolean>read(json, "$.forceRelease")).isFalse();
            MockHttpServletResponse answer = ask(looking, take(json).header("X-Baton-Board", "1"));
            assertThat(answer.getStatus()).isEqualTo(403);
            assertThat(answer.getContentAsString()).contains("baton.board.force-release");
            assertThat(locks.isLocked(REQUEST)).isTrue();
        }
    }

    @Test
    void lockIsNotForceReleasedWithoutItsHolder() throws Exception {
        try (Lease lease = other.acquire(REQUEST)) {
            String json = look(board(NameView.SHOWN, true));
            assertThat(ask(open, take(json).header("X-Baton-Board", "1")).getStatus())
                    .isEqualTo(404);
            assertThat(ask(
                                    open,
                                    MockMvcRequestBuilders.post("/ops/locks/api/force-release")
                                            .header("X-Baton-Board", "1")
                                            .param("id", "x")
                                            .param("token", "many"))
                            .getStatus())
                    .isEqualTo(400);
        }
    }

    /** An empty column means a missing header. */
    @ParameterizedTest
    @CsvSource({
        "1, same-origin, ,                             200",
        "1, ,            https://ops.example:8443,     200",
        "1, ,            ,                             200",
        " , same-origin, https://ops.example:8443,     403",
        "1, cross-site,  https://ops.example:8443,     403",
        "1, same-site,   ,                             403",
        "1, none,        ,                             403",
        "1, ,            https://evil.example,         403",
        "1, ,            https://ops.example:8444,     403",
        "1, ,            null,                         403",
        "1, ,            https://ops.example:8443.evil, 403",
    })
    void onlyThePageOfTheBoardMayForceRelease(String header, String site, String origin, int status) throws Exception {
        try (Lease lease = other.acquire(REQUEST)) {
            MockHttpServletRequestBuilder request = take(look(open));
            if (header != null) {
                request.header("X-Baton-Board", header);
            }
            if (site != null) {
                request.header("Sec-Fetch-Site", site);
            }
            if (origin != null) {
                request.header("Origin", origin);
            }
            assertThat(ask(open, request).getStatus()).isEqualTo(status);
            assertThat(locks.isLocked(REQUEST)).isEqualTo(status != 200);
        }
    }

    @Test
    void readRequestDoesNotForceRelease() throws Exception {
        assertThat(ask(open, MockMvcRequestBuilders.get("/ops/locks/api/force-release"))
                        .getStatus())
                .isNotEqualTo(200);
    }
}
