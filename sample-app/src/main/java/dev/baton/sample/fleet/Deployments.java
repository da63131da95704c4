package dev.baton.sample.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

/** The deployments to all servers, in the database of this process. */
@Repository
class Deployments {

    private final JdbcClient jdbc;

    Deployments(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the id of the new deployment. */
    long started(String serverId, String version, long fencingToken) {
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        jdbc.sql("insert into deployment (server, version, state, fencing_token) values (?, ?, 'RUNNING', ?)")
                .params(serverId, version, fencingToken)
                .update(id, "id");
        return Objects.requireNonNull(id.getKeyAs(Long.class));
    }

    void ended(long id, boolean done) {
        jdbc.sql("update deployment set state = ?, ended_at = current_timestamp where id = ?")
                .params(done ? "DONE" : "FAILED", id)
                .update();
    }

    /** The last ten of a server, the newest first. */
    List<Deployment> of(String serverId) {
        return jdbc
                .sql("select * from deployment where server = ? order by id desc fetch first 10 rows only")
                .param(serverId)
                .query(Deployment.class)
                .list()
                .stream()
                .map(Objects::requireNonNull)
                .toList();
    }

    Map<String, Long> countByServer() {
        Map<String, Long> counts = new TreeMap<>();
        jdbc.sql("select server, count(*) from deployment group by server")
                .query((row, index) -> counts.put(row.getString(1), row.getLong(2)))
                .list();
        return counts;
    }

    /**
     * One deployment.
     *
     * @param state RUNNING, DONE or FAILED
     * @param endedAt null while it is running
     */
    record Deployment(
            String version,
            String state,
            long fencingToken,
            Instant startedAt,
            @Nullable Instant endedAt) {}
}
