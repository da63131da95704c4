package dev.baton.sample.fleet;

import java.util.Optional;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/** Built reports, in Redis, so that all processes find them. */
@Repository
class ReportStore {

    private final StringRedisTemplate redis;
    private final JsonMapper json;
    private final FleetProperties properties;

    ReportStore(StringRedisTemplate redis, JsonMapper json, FleetProperties properties) {
        this.redis = redis;
        this.json = json;
        this.properties = properties;
    }

    Optional<Report> find(String name) {
        return Optional.ofNullable(redis.opsForValue().get(key(name))).map(text -> json.readValue(text, Report.class));
    }

    void save(Report report) {
        redis.opsForValue().set(key(report.name()), json.writeValueAsString(report), properties.reportValid());
    }

    private static String key(String name) {
        return "fleet:report:" + name;
    }
}
