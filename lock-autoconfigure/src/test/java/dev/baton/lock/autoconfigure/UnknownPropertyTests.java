package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Tests that a mistyped property of Baton fails the start, and that a mistyped environment variable is warned of. */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyTests {

    private static final String ACTION =
            "Correct the name, or remove the property. Every name below 'baton.' belongs to Baton: give a property of the"
                    + " application another prefix.";

    private final ApplicationContextRunner runner = Contexts.withoutRedis();

    @TempDir
    Path directory;

    @Test
    void nameInAYamlFileIsReportedWithItsLine(CapturedOutput output) throws IOException {
        file("application.yml", "baton:", "  wait-time: 5s", "  wait-tme: 7s");
        assertStartFails();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The configuration property 'baton.wait-tme' (set in " + origin("application.yml", "3:13")
                        + ") does not exist. Did you mean 'baton.wait-time'?")
                .contains(ACTION)
                .doesNotContain("UnknownPropertyException");
    }

    @Test
    void nameInAPropertiesFileIsReportedWithItsLine(CapturedOutput output) throws IOException {
        file("application.properties", "# locks", "baton.connectionFactry=lockRedis");
        assertStartFails();
        assertThat(output)
                .contains("The configuration property 'baton.connectionFactry' (set in "
                        + origin("application.properties", "2:24")
                        + ") does not exist. Did you mean 'baton.connection-factory'?");
    }

    @Test
    void namesInImportedAndProfileSpecificFilesAreReportedTogether(CapturedOutput output) throws IOException {
        file("application.yml", "spring.config.import: more.properties", "baton.exprie: 5s");
        file("more.properties", "baton.board.pfad=/locks");
        file("application-live.yml", "baton:", "  shop:", "    currency: EUR");
        assertStartFails("--spring.profiles.active=live");
        assertThat(output)
                .contains("The configuration property 'baton.exprie' (set in " + origin("application.yml", "2:15")
                        + ") does not exist. Did you mean 'baton.expire'?")
                .contains("The configuration property 'baton.board.pfad' (set in " + origin("more.properties", "1:18"))
                .contains("The configuration property 'baton.shop.currency' (set in "
                        + origin("application-live.yml", "3:15") + ") does not exist.")
                .contains(ACTION);
    }

    @Test
    void nameInTheFileOfAnotherProfileIsNotRead() throws IOException {
        file("application-live.yml", "baton.exprie: 5s");
        start().close();
    }

    @Test
    void nameOnTheCommandLineIsReported(CapturedOutput output) {
        assertStartFails("--baton.cohort-limit=3");
        assertThat(output)
                .contains("The configuration property 'baton.cohort-limit' (set in \"baton.cohort-limit\" from property"
                        + " source \"commandLineArgs\") does not exist. Did you mean 'baton.cohort.limit'?");
    }

    @Test
    void nameInJsonIsReported(CapturedOutput output) {
        assertStartFails("--spring.application.json={\"baton\":{\"recheckk\":\"1s\"}}");
        assertThat(output)
                .contains("The configuration property 'baton.recheckk' (set in ")
                .contains("does not exist. Did you mean 'baton.recheck'?");
    }

    @Test
    void nameOfASystemPropertyIsReported() {
        runner.withSystemProperties("baton.max-waiter=7")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessage("The configuration property 'baton.max-waiter' (set in \"baton.max-waiter\" from"
                                + " property source \"systemProperties\") does not exist. Did you mean 'baton.max-waiters'?"
                                + " " + ACTION));
    }

    @Test
    void nameInTheFileOfAConfigurationClassIsReported() throws IOException {
        file("classic.properties", "baton.patiense=1s");
        runner.withSystemProperties(
                        "classic=" + directory.resolve("classic.properties").toUri())
                .withUserConfiguration(Classic.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("'baton.patiense' (set in ")
                        .hasMessageContaining("Did you mean 'baton.patience'?"));
    }

    @Test
    void mistypedNameIsReportedBeforeTheFailureThatItCauses(CapturedOutput output) {
        assertThatException()
                .isThrownBy(
                        () -> builder(NoRedis.class).run("--baton.enabld=false").close());
        assertThat(output).contains("Did you mean 'baton.enabled'?").doesNotContain("Locks are kept in Redis");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slow-wait=1s | baton.slow-wait | does not exist. Did you mean 'baton.log.slow-wait'?",
                "hold-at-least=1s | baton.hold-at-least | does not exist. Did you mean 'baton.scopes.<scope>.hold-at-least'?",
                "currency=EUR | baton.currency | does not exist. Correct the name",
                "wait-time.seconds=1 | baton.wait-time.seconds | does not exist. Correct the name",
                "cache=true | baton.cache | takes no value, but has properties below it. Did you mean 'baton.cache.enabled' or 'baton.cache.on-timeout' or 'baton.cache.on-store-failure'?",
                "shutdown=30s | baton.shutdown | takes no value, but has properties below it. Did you mean 'baton.shutdown.await'?",
                "scopes.a_b.wait-tme=1s | baton.scopes.a_b.wait-tme | does not exist. Did you mean 'baton.scopes.a_b.wait-time'?",
                "scopes[a.b].waitTme=1s | baton.scopes[a.b].waitTme | does not exist. Did you mean 'baton.scopes[a.b].wait-time'?",
                "scopes.a.max-hold=1s | baton.scopes.a.max-hold | does not exist. Correct the name",
                "scopes.a=5s | baton.scopes.a | takes no value, but has properties below it. Did you mean 'baton.scopes.a.expire' or 'baton.scopes.a.wait-time' or 'baton.scopes.a.stall-time'?",
                "scopes.com.acme.Orders.close.waitTime=1s | baton.scopes.com.acme.Orders.close.waitTime | does not exist. Did you mean 'baton.scopes[com.acme.Orders.close].waitTime'?",
                "observation.name=true | baton.observation.name | does not exist. Did you mean 'baton.observation.names'?",
            })
    void unknownNameIsReportedWithWhatMayBeMeant(String setting, String name, String problem) {
        runner.withPropertyValues("baton." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageStartingWith("The configuration property '" + name + "' (set in ")
                        .hasMessageContaining(") " + problem));
    }

    @Test
    void locksThatAreSwitchedOffDoNotHideAMistypedName() {
        runner.withPropertyValues("baton.enabled=false", "baton.expires=1s")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("Did you mean 'baton.expire'?"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "baton.waitTime=1s",
                "baton.wait_time=1s",
                "baton.WAIT_TIME=1s",
                "baton.cohort.MAX_TIME=1ms",
                "baton.scopes.a_b.holdAtLeast=1s",
                "baton.scopes=",
                "baton.scopes.a_b=",
                "baton.cache=",
                "baton=",
                "baton.metrics.max-scopes=7",
                "baton.observation.names=true",
                "baton.board.show-values=always",
                "baton.cache.on-timeout=load",
                "batons.expire=1",
                "other.baton.expire=1"
            })
    void knownAndForeignNamesStart(String setting) {
        runner.withPropertyValues(setting).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void emptySectionsOfAFileStart() throws IOException {
        file("application.yml", "baton:", "  # expire: 10s", "  scopes:", "    # a: { expire: 10s }", "  cache:");
        start().close();
    }

    @Test
    void environmentVariablesThatSetNothingAreWarnedOf(CapturedOutput output) {
        withVariables(
                "BATON_WAIT_TME",
                "1s",
                "BATON_PORT",
                "tcp://10.0.0.1:80",
                "BATON_SERVICE_HOST",
                "10.0.0.1",
                "BATON_SCOPES_SERVER_ACCESS_EXPIRE",
                "1s",
                "PATH",
                "/bin");
        assertThat(output)
                .containsOnlyOnce(
                        "Environment variables that begin with BATON_ and set no property of Baton: BATON_PORT."
                                + " BATON_SCOPES_SERVER_ACCESS_EXPIRE. BATON_SERVICE_HOST. BATON_WAIT_TME. Did you mean"
                                + " 'BATON_WAITTIME'? Correct the name, or ignore this warning if other software uses the variable.");
    }

    @Test
    void environmentVariablesOfBatonAreNotWarnedOf(CapturedOutput output) {
        withVariables(
                "BATON_WAITTIME",
                "1s",
                "BATON_COMMAND_TIMEOUT",
                "3s",
                "BATON_COHORT_LIMIT",
                "0",
                "baton.cohort.max-time",
                "3ms",
                "BATON_SCOPES_ORDERS_STALL_TIME",
                "3s",
                "BATON_SCOPES_ORDERS_WAITTIME",
                "3s");
        assertThat(output).doesNotContain("Environment variables that begin with");
    }

    private void withVariables(String... namesAndValues) {
        Map<String, Object> variables = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            variables.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private void file(String name, String... lines) throws IOException {
        Files.write(directory.resolve(name), Stream.of(lines).toList());
    }

    private String origin(String name, String position) throws IOException {
        return "URL [" + directory.resolve(name).toUri().toURL() + "] - " + position;
    }

    private void assertStartFails(String... args) {
        assertThatException().isThrownBy(() -> start(args).close());
    }

    private ConfigurableApplicationContext start(String... args) {
        return builder(OneFactory.class)
                .properties("spring.config.location=" + directory.toUri())
                .run(args);
    }

    private static SpringApplicationBuilder builder(Class<?> application) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LockAutoConfiguration.class, DataRedisAutoConfiguration.class})
    static class OneFactory {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LockAutoConfiguration.class)
    static class NoRedis {}

    @Configuration(proxyBeanMethods = false)
    @PropertySource("${classic}")
    static class Classic {}
}
