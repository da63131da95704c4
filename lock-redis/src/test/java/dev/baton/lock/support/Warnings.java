package dev.baton.lock.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings and errors that are logged as long as this is open. */
final class Warnings implements AutoCloseable {

    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                texts.add(event.getFormattedMessage());
            }
        }
    };

    Warnings(String logger) {
        this.logger = (Logger) LoggerFactory.getLogger(logger);
        appender.start();
        this.logger.addAppender(appender);
    }

    List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
