package dev.baton.lock.board;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The headless Chromium installed on this machine. Nothing is downloaded. */
final class Browser implements AutoCloseable {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Skips the test with the reason if no browser is installed. */
    static void assumePresent() {
        for (Path needed : List.of(CHROMIUM, DRIVER)) {
            String reason = "no " + needed + " (packages chromium and chromium-driver)";
            if (!Files.isExecutable(needed)) {
                System.out.println("Skipped: " + reason);
            }
            assumeTrue(Files.isExecutable(needed), reason);
        }
    }

    static Browser open() {
        ChromeOptions options = new ChromeOptions()
                .setBinary(CHROMIUM.toFile())
                .addArguments(
                        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .withSilent(true)
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    void get(String url) {
        driver.get(url);
    }

    String title() {
        return Objects.requireNonNull(driver.getTitle());
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** Returns the texts of the elements, read at one moment, because the page replaces its elements. */
    List<String> texts(String css) {
        Object texts = driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])]"
                        + ".map(element => element.checkVisibility() ? element.innerText.trim() : '')",
                css);
        return ((List<?>) Objects.requireNonNull(texts))
                .stream().map(String::valueOf).toList();
    }

    WebElement active() {
        return driver.switchTo().activeElement();
    }

    Object script(String script) {
        return Objects.requireNonNull(driver.executeScript(script));
    }

    /** Clicks as soon as the element can be clicked, because the page may still draw the element. */
    void click(String css) {
        new WebDriverWait(driver, BOUND, Duration.ofMillis(50))
                .ignoring(StaleElementReferenceException.class)
                .ignoring(ElementNotInteractableException.class)
                .until(any -> {
                    find(css).click();
                    return true;
                });
    }

    /** Repeats the check if an element is replaced meanwhile. */
    void await(String what, BooleanSupplier condition) {
        new WebDriverWait(driver, BOUND, Duration.ofMillis(50))
                .ignoring(StaleElementReferenceException.class)
                .withMessage(() -> what + "; the page says:\n" + find("body").getText())
                .until(any -> condition.getAsBoolean());
    }

    void awaitText(String css, String part) {
        await(css + " has '" + part + "'", () -> texts(css).stream().anyMatch(text -> text.contains(part)));
    }

    void awaitGone(String css) {
        await(
                css + " is gone",
                () -> driver.findElements(By.cssSelector(css)).stream().noneMatch(WebElement::isDisplayed));
    }

    /** Shows the page on a screen of this width with this theme. */
    void show(int width, String theme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    /** Writes the whole page to {@code target/screenshots/NAME.png}. */
    void screenshot(String name) throws IOException {
        String image = (String) driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
                .get("data");
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(image));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
