package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.actuate.LocksEndpoint;
import dev.baton.lock.board.BoardAudit;
import dev.baton.lock.board.BoardHistory;
import dev.baton.lock.board.LockBoard;
import dev.baton.lock.support.CurrentLocks;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Tests when the board is available, and at which path. */
class LockBoardTests {

    private static final AutoConfigurations OURS = AutoConfigurations.of(
            DataRedisAutoConfiguration.class,
            LockAutoConfiguration.class,
            LocksEndpointAutoConfiguration.class,
            LockBoardAutoConfiguration.class);

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(OURS)
            .withUserConfiguration(Mvc.class)
            .withPropertyValues("spring.data.redis.port=" + Contexts.NO_REDIS);

    @Test
    void boardIsOffByDefault() {
        runner.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(LockBoard.class)
                    .doesNotHaveBean(BoardHistory.class)
                    .doesNotHaveBean(CurrentLocks.class);
            assertThat(status(context, "/baton")).isEqualTo(404);
        });
    }

    @Test
    void boardIsServedAtTheConfiguredPath() {
        runner.withPropertyValues("baton.board.enabled=true").run(context -> {
            assertThat(status(context, "/baton")).isEqualTo(200);
            assertThat(status(context, "/ops/locks")).isEqualTo(404);
        });
        runner.withPropertyValues("baton.board.enabled=true", "baton.board.path=/ops/locks")
                .run(context -> {
                    assertThat(status(context, "/ops/locks")).isEqualTo(200);
                    assertThat(status(context, "/baton")).isEqualTo(404);
                });
    }

    @Test
    void boardNeedsNeitherActuatorNorMicrometer() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        LockAutoConfiguration.class,
                        LockBoardAutoConfiguration.class))
                .withUserConfiguration(Mvc.class)
                .withPropertyValues("spring.data.redis.port=" + Contexts.NO_REDIS, "baton.board.enabled=true")
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.actuate"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(BoardAudit.class);
                    assertThat(status(context, "/baton")).isEqualTo(200);
                });
    }

    @Test
    void boardAndEndpointShareOneListener() {
        runner.withPropertyValues("baton.board.enabled=true", "management.endpoints.web.exposure.include=locks")
                .run(context -> assertThat(context)
                        .hasSingleBean(LocksEndpoint.class)
                        .hasSingleBean(LockBoard.class)
                        .hasSingleBean(BoardAudit.class)
                        .hasSingleBean(CurrentLocks.class));
    }

    @Test
    void unreachableRedisIsReported() {
        runner.withPropertyValues("baton.board.enabled=true", "baton.command-timeout=200ms")
                .run(context -> assertThat(get(context, "/baton/api/locks").getContentAsString())
                        .contains("\"problem\":\"Redis at ", "\"locks\":[]"));
    }

    @Test
    void boardIsRefusedOnWebFlux() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(OURS)
                .withPropertyValues("spring.data.redis.port=" + Contexts.NO_REDIS, "baton.board.enabled=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("baton.board.enabled")
                        .hasMessageContaining("WebFlux"));
    }

    @Test
    void invalidPathNamesTheProperty() {
        for (String path : new String[] {"baton", "/", "/baton/", "/{baton}", "/baton/**"}) {
            runner.withPropertyValues("baton.board.enabled=true", "baton.board.path=" + path)
                    .run(context ->
                            assertThat(context).getFailure().rootCause().hasMessageContaining("baton.board.path"));
        }
    }

    @Test
    void pageIsInANativeImage() {
        RuntimeHints hints = new RuntimeHints();
        new LockBoardAutoConfiguration.PageHints().registerHints(hints, null);
        for (String part : new String[] {"html", "css", "js"}) {
            assertThat(RuntimeHintsPredicates.resource().forResource("dev/baton/lock/board/board." + part))
                    .accepts(hints);
        }
    }

    private static int status(WebApplicationContext context, String path) throws Exception {
        return get(context, path).getStatus();
    }

    private static MockHttpServletResponse get(WebApplicationContext context, String path) throws Exception {
        return MockMvcBuilders.webAppContextSetup(context)
                .build()
                .perform(MockMvcRequestBuilders.get(path))
                .andReturn()
                .getResponse();
    }

    @EnableWebMvc
    static class Mvc {}
}
