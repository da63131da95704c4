package dev.baton.lock.benchmarks.comparison;

import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import redis.clients.jedis.Jedis;

/** The libraries of the run, with the versions that were in fact used. */
final class Peers {

    private static final Pattern VERSION = Pattern.compile("-(\\d[^/]*)\\.jar$");

    private Peers() {}

    /** All of them in one line. */
    static String describe() {
        Map<String, Class<?>> libraries = new LinkedHashMap<>();
        libraries.put("Lettuce", RedisClient.class);
        libraries.put("Jedis", Jedis.class);
        libraries.put("Spring Data Redis", RedisTemplate.class);
        libraries.put("Redisson", Redisson.class);
        libraries.put("Spring Integration", RedisLockRegistry.class);
        libraries.put("ShedLock", RedisLockProvider.class);
        libraries.put("lock4j", RedisTemplateLockExecutor.class);
        return libraries.entrySet().stream()
                .map(library -> library.getKey() + version(library.getValue()))
                .collect(Collectors.joining(", "));
    }

    // by the name of its archive: not all manifests have it
    private static String version(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        Path file =
                source == null ? null : Path.of(source.getLocation().getPath()).getFileName();
        Matcher version = VERSION.matcher(String.valueOf(file));
        return version.find() ? " " + version.group(1) : "";
    }
}
