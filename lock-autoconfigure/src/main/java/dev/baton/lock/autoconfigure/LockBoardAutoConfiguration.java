package dev.baton.lock.autoconfigure;

import dev.baton.lock.actuate.ForceReleaseAudit;
import dev.baton.lock.actuate.NameView;
import dev.baton.lock.board.BoardAudit;
import dev.baton.lock.board.BoardHistory;
import dev.baton.lock.board.BoardRoutes;
import dev.baton.lock.board.LockBoard;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Auto-configuration of the page that shows locks, if {@code baton.board.enabled=true}. */
@AutoConfiguration(after = {LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "baton.board.enabled")
@ConditionalOnBean(LockTemplate.class)
@EnableConfigurationProperties(LockBoardProperties.class)
public final class LockBoardAutoConfiguration {

    /** Serves the board on Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(RouterFunction.class)
    @ImportRuntimeHints(PageHints.class)
    static class Served {

        @Bean
        @ConditionalOnMissingBean
        static CurrentLocks batonCurrentLocks() {
            return new CurrentLocks();
        }

        @Bean
        @ConditionalOnMissingBean
        static BoardHistory batonBoardHistory(ObjectProvider<TimeSource> time) {
            return new BoardHistory(time.getIfUnique(() -> TimeSource.SYSTEM));
        }

        @Bean
        static LockBoard batonBoard(
                LockTemplate template,
                CurrentLocks current,
                BoardHistory history,
                LockBoardProperties properties,
                LockProperties locks,
                ObjectProvider<BoardAudit> audit) {
            return new LockBoard(
                    template,
                    current,
                    history,
                    NameView.of(properties.showValues() == LockBoardProperties.Show.ALWAYS),
                    locks.expire(),
                    properties.forceRelease(),
                    audit.getIfUnique(() -> BoardAudit.NONE));
        }

        @Bean
        static RouterFunction<ServerResponse> batonBoardRoutes(LockBoard board, LockBoardProperties properties) {
            return new BoardRoutes(board).under(properties.path());
        }
    }

    /** Publishes audit events, if Actuator is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.audit.listener.AuditApplicationEvent")
    static class Audited {

        @Bean
        @ConditionalOnMissingBean
        static BoardAudit batonBoardAudit(ApplicationEventPublisher events) {
            return new ForceReleaseAudit(events)::released;
        }
    }

    /** Refuses to start on WebFlux: its threads must not block, and the board waits for Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Refused {

        Refused() {
            throw LockProperties.invalid(
                    "board.enabled",
                    true,
                    "the board is served by applications on Spring MVC only, and this one is on WebFlux; use Actuator's endpoint"
                            + " 'locks', or switch the board on in another application on the same Redis");
        }
    }

    /** Includes the page in a native image. */
    static class PageHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("dev/baton/lock/board/board.*");
        }
    }
}
