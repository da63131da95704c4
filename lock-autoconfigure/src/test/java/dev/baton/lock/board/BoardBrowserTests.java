package dev.baton.lock.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Tests the board in a real browser, with an application that serves the board and another process that contends for
 * locks.
 */
@Tag("once")
class BoardBrowserTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String EVIL = "<img src=x onerror=\"document['title']='hit'\">";

    private static Browser browser;
    private static TestRedis redis;
    private static ConfigurableApplicationContext context;
    private static JavaProcess other;

    private final List<CompletableFuture<Lease>> asked = new ArrayList<>();

    @BeforeAll
    static void start() {
        Browser.assumePresent();
        redis = TestRedis.start();
        other = JavaProcess.start(ContendingHolder.class, redis.host(), "" + redis.port());
        browser = Browser.open();
        context = run("--baton.board.force-release=true", "--baton.board.show-values=always");
        other.awaitLine("ready", BOUND);
        browser.show(1440, "light");
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable each : new AutoCloseable[] {other, context, redis, browser}) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception ex) {
                throw new IllegalStateException(ex);
            }
        }
    }

    private static ConfigurableApplicationContext run(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "--server.port=0",
                "--baton.board.enabled=true",
                "--baton.shutdown.await=0s",
                "--baton.command-timeout=5s",
                "--spring.data.redis.port=" + redis.port(),
                "--spring.data.redis.host=" + redis.host()));
        args.addAll(List.of(more));
        ConfigurableApplicationContext started =
                new SpringApplicationBuilder(Application.class).run(args.toArray(String[]::new));
        Awaitility.await().until(started.getBean(LockTemplate.class)::isListening);
        return started;
    }

    private static String url(ConfigurableApplicationContext of) {
        return "http://localhost:" + of.getEnvironment().getProperty("local.server.port") + "/baton";
    }

    /**
     * Releases the leases of the test. Other leases are lost with the data of the server, and their holders are
     * notified.
     */
    @AfterEach
    void letGo() {
        asked.forEach(one -> {
            one.cancel(false);
            if (!one.isCompletedExceptionally()) {
                // a lease may be lost with the data of a restarted server, which is no failure here
                one.join().release();
            }
        });
        locks().list("*")
                .map(state -> state.name())
                .toList()
                .forEach(name -> locks().administration().forceRelease(name, null, false));
    }

    private static LockTemplate locks() {
        return context.getBean(LockTemplate.class);
    }

    private void ask(LockRequest request) {
        long before = locks().inspect(request).waiting();
        asked.add(locks().acquireAsync(request.waitUnbounded()).toCompletableFuture());
        Awaitility.await()
                .until(() -> asked.get(asked.size() - 1).isDone()
                        || locks().inspect(request).waiting() > before);
    }

    private static void otherTakes(String scope, String key, String more) {
        other.println(scope + " " + key + more);
        other.awaitLine("held " + scope + "." + key, BOUND);
    }

    @Test
    void boardShowsHoldersAndWaitersAndForceReleasesByKeyboard() {
        browser.get(url(context));
        browser.awaitText("#empty", "No lock is held, and no request waits");
        otherTakes("server_access", "42", " 60");
        browser.awaitText(".holder .label", ":" + other.pid() + "/server_access");
        assertThat(browser.texts(".lock .name")).containsExactly("server_access.42");
        ask(LockRequest.of("server_access", 42).owner("first"));
        ask(LockRequest.of("server_access", 42).owner("second"));
        ask(LockRequest.of("server_access", 42).owner("third"));
        browser.awaitText(".length", "3 waiters");
        assertThat(browser.texts(".queue li .label"))
                .extracting(label -> label.substring(label.lastIndexOf('/') + 1))
                .containsExactly("first", "second", "third");
        double before = over();
        browser.await("the bar moves", () -> over() > before + 2);
        assertThat(over()).isLessThan(100);

        browser.find(".release").sendKeys(Keys.ENTER);
        browser.await("dialog", () -> browser.find("#confirm").isDisplayed());
        assertThat(browser.active().getAttribute("id")).isEqualTo("confirm-no");
        browser.active().sendKeys(Keys.ESCAPE);
        browser.awaitGone("#confirm");
        assertThat(browser.active().getAttribute("class")).contains("release");
        assertThat(locks().inspect(LockRequest.of("server_access", 42)).waiting())
                .isEqualTo(3);
        browser.active().sendKeys(Keys.ENTER);
        browser.await("dialog", () -> browser.find("#confirm").isDisplayed());
        browser.active().sendKeys(Keys.TAB);
        browser.active().sendKeys(Keys.ENTER);
        other.awaitLine("lost server_access.42", BOUND);
        browser.awaitText(".holder .label", "/first");
        browser.awaitText(".length", "2 waiters");
    }

    private static double over() {
        return Double.parseDouble(
                browser.script("return document.querySelector('.lease > div').style.width.replace('%', '') || '0'")
                        .toString());
    }

    @Test
    void namesAreShownAsText() {
        browser.get(url(context));
        ask(LockRequest.of("evil", EVIL).owner(EVIL));
        browser.awaitText(".lock .name", "evil." + EVIL);
        browser.find(".release").sendKeys(Keys.ENTER);
        browser.awaitText("#confirm-name", "evil." + EVIL);
        assertThat(browser.script("return document.images.length")).isEqualTo(0L);
        assertThat(browser.title()).isEqualTo("Locks");
    }

    /** The browser must not run injected content. */
    @Test
    void policyBlocksInjectedScripts() {
        browser.get(url(context));
        browser.awaitText("#state-text", "live");
        browser.script("const s = document.createElement('script'); s.textContent = \"document.title = 'hit'\";"
                + " document.body.append(s); const i = document.createElement('div');"
                + " i.innerHTML = '<img src=x onerror=\"document.title = 1\">'; document.body.append(i); return 1");
        browser.await(
                "image is refused",
                () -> browser.script("return document.images[0].complete").equals(true));
        assertThat(browser.title()).isEqualTo("Locks");
    }

    @Test
    void outageOfRedisAndItsEndAreShown() throws IOException {
        browser.get(url(context));
        ask(LockRequest.of("report", "daily"));
        browser.awaitText(".lock .name", "report.daily");
        redis.stop();
        try {
            browser.awaitText("#problem", "Redis is unavailable");
            browser.awaitText("#state-text", "Redis down");
            assertThat(browser.texts(".lock .name")).containsExactly("report.daily");
            assertThat(browser.find(".release").isDisplayed()).isFalse();
            browser.show(375, "light");
            browser.screenshot("board-375-light-redis-down");
        } finally {
            redis.restart();
            browser.show(1440, "light");
        }
        browser.awaitGone("#problem");
        browser.awaitText("#state-text", "live");
    }

    @Test
    void missingApplicationIsShown() {
        ConfigurableApplicationContext going = run();
        browser.get(url(going));
        browser.awaitText("#state-text", "live");
        assertThat(browser.find("#act").isDisplayed()).isFalse();
        going.close();
        browser.awaitText("#problem", "No data from this application");
    }

    @Test
    void deadlockIsNamedAndFitsOnEveryScreen() throws IOException {
        context.getBean(PastTraffic.class).happen(context.getBean(BoardHistory.class));
        ask(LockRequest.of("account", "a").owner("transfer-7"));
        otherTakes("account", "b", "");
        ask(LockRequest.of("account", "b").owner("transfer-7"));
        other.println("account a");
        otherTakes("invoice", "acme-2026-11", " 12");
        for (int i = 1; i < 8; i++) {
            ask(LockRequest.of("invoice", "acme-2026-11").owner("job-" + i));
        }
        ask(LockRequest.of("com.acme.warehouse.StockService.reorder", "a-rather-long-key-of-some-article-4711")
                .owner("nightly"));
        browser.get(url(context));
        browser.await("a deadlock", () -> browser.find("#deadlock").isDisplayed());
        for (int width : new int[] {375, 1440}) {
            for (String theme : new String[] {"light", "dark"}) {
                browser.show(width, theme);
                browser.await(
                        "charts are as wide",
                        () -> browser.script("return document.querySelector('#waits svg').viewBox.baseVal.width"
                                        + " === document.querySelector('#waits').clientWidth")
                                .equals(true));
                assertThat(browser.script("return document.documentElement.scrollWidth > innerWidth"))
                        .as("horizontal overflow at " + width)
                        .isEqualTo(false);
                browser.screenshot("board-" + width + "-" + theme);
            }
        }
        assertThat(browser.texts("#deadlock li")).hasSize(2).anyMatch(line -> line.contains(":" + other.pid() + "/"));
        assertThat(browser.script("return document.querySelector('#handovers svg').getAttribute('aria-label')")
                        .toString())
                .contains("to another process: now ");
        browser.show(1440, "dark");
        browser.click(".link");
        browser.await("all of the queue", () -> browser.texts(".queue li").size() >= 7);
        browser.click(".release");
        browser.screenshot("board-1440-dark-dialog");
        browser.show(375, "light");
        browser.screenshot("board-375-light-dialog");
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        PastTraffic past() {
            return new PastTraffic();
        }

        @Bean
        BoardHistory boardHistory(PastTraffic past) {
            return new BoardHistory(past.time());
        }
    }
}
