package dev.baton.lock.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Collects the lines of a logger during a test. */
public final class LogCapture implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public LogCapture(String loggerName) {
        logger = (Logger) LoggerFactory.getLogger(loggerName);
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    /** Returns the messages of a level. */
    public List<String> messages(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Returns the key-value pairs of the lines of a level. */
    public List<Map<String, Object>> pairs(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(LogCapture::pairs)
                .toList();
    }

    private static Map<String, Object> pairs(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return pairs == null
                ? Map.of()
                : pairs.stream().collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
    }
}
