package dev.baton.sample.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the page of the sample in a real browser: three instances with traffic, and a simulation started on the page.
 */
@Tag("once")
class FleetPageTests {

    private static final String[] THEMES = {"light", "dark"};
    private static final int[] WIDTHS = {375, 1440};

    private static Browser browser;
    private static Fleet fleet;

    @BeforeAll
    static void start() throws IOException {
        Browser.assumePresent();
        fleet = Fleet.start(
                        "--fleet=3",
                        "--fleet.deploy-time=400ms",
                        "--fleet.reboot-time=200ms",
                        "--fleet.traffic.per-second=8",
                        "--fleet.traffic.servers=3")
                .awaitUp(3);
        browser = Browser.open();
        browser.show(1440, "light");
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }

    @Test
    void pageShowsTheActionsOnEachServerAndRunsASimulationToItsPicture() throws IOException {
        browser.get(fleet.url() + "/");
        browser.awaitText("#status", "3 of 3 instances up, Redis up");
        assertThat(browser.texts("#instances h3")).containsExactly("Instance 1", "Instance 2", "Instance 3");
        browser.await(
                "all three act on servers",
                () -> browser.script(
                                "return new Set([...document.querySelectorAll('.strip span')].map(bar => bar.textContent)).size")
                        .equals(3L));
        browser.awaitText("#locks .queue", "waiting:");
        assertThat(browser.texts("#locks .name")).contains("server-1", "server-2", "server-3");
        assertThat(browser.texts("#overlaps")).allMatch(text -> text.contains(" actions, 0 began before another"));
        screenshots("fleet");

        browser.script("document.querySelector('[name=processes]').value = 2;"
                + " document.querySelector('[name=threads]').value = 2;"
                + " document.querySelector('[name=seconds]').value = 3; return 1");
        browser.find("#start").click();
        browser.await(
                "a progress bar, and no second start",
                () -> browser.find("#progress").isDisplayed()
                        && !browser.find("#start").isEnabled());
        List<Double> shares = new ArrayList<>();
        browser.await("the result", () -> {
            shares.add(Double.parseDouble(browser.script("return String(document.querySelector('#progress').value)")
                    .toString()));
            return browser.find("#result").isDisplayed();
        });
        assertThat(shares).anyMatch(share -> share > 0 && share < 100);
        // how evenly the processes were served depends on the machine
        assertThat(browser.texts("#verdicts li"))
                .anyMatch(line -> line.startsWith("ok never two at a time"))
                .anyMatch(line -> line.startsWith("ok the counter is right"));
        assertThat(browser.script("return document.querySelectorAll('#timeline svg rect[data-from]').length"))
                .satisfies(holds -> assertThat((Long) holds).isPositive());
        assertThat(browser.script("return document.querySelectorAll('#timeline .baton-overlap').length"))
                .isEqualTo(0L);
        assertThat(browser.texts("#figures dt")).contains("hand-overs between processes", "overlaps");
        assertThat(browser.find("#start").isEnabled()).isTrue();
        screenshots("simulation");
    }

    private static void screenshots(String name) throws IOException {
        for (int width : WIDTHS) {
            for (String theme : THEMES) {
                browser.show(width, theme);
                assertThat(browser.script("return document.documentElement.scrollWidth > innerWidth"))
                        .as("horizontal overflow at " + width)
                        .isEqualTo(false);
                browser.screenshot(name + "-" + width + "-" + theme);
            }
        }
        browser.show(1440, "light");
    }
}
