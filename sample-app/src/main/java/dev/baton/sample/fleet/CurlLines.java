package dev.baton.sample.fleet;

import dev.baton.sample.embedded.EmbeddedRedis;
import dev.baton.sample.members.MembersProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Prints, once all is up, where the application is and what to try. */
@Component
class CurlLines {

    private static final String LINES = """

        Fleet manager at URL
        Open it: the page shows the holder of each lock, and runs simulations.

        Two deployments to one server: the second waits for the first.
          curl -X POST 'URL/servers/42/deploy?version=1.1' & curl -X POST 'URL/servers/42/deploy?version=1.2'; wait
        Two deployments to two servers: no deployment waits.
          curl -X POST 'URL/servers/42/deploy?version=1.3' & curl -X POST 'URL/servers/43/deploy?version=1.3'; wait
        A reboot does not wait; while a deployment runs, the answer names the holder.
          curl -X POST 'URL/servers/42/deploy?version=1.4' & sleep 1; curl -i -X POST URL/servers/42/reboot; wait
        A report: one request builds it, and the other gets the result.
          curl URL/report & curl URL/report; wait
        A transfer, in a transaction within the lock.
          curl -X POST 'URL/accounts/transfer?from=alice&to=bob&amount=10'
        The deployments of a server.
          curl URL/servers/42
        """;

    private static final String SECOND_PROCESS = """
        A second process that shares the locks, in another terminal. It prints its address.
          mvn -pl sample-app -am spring-boot:run \\
            -Dspring-boot.run.arguments='--server.port=0 --spring.data.redis.host=HOST --spring.data.redis.port=PORT'
        """;

    private final Environment environment;
    private final ObjectProvider<EmbeddedRedis> embeddedRedis;
    private final MembersProperties members;

    CurlLines(Environment environment, ObjectProvider<EmbeddedRedis> embeddedRedis, MembersProperties members) {
        this.members = members;
        this.environment = environment;
        this.embeddedRedis = embeddedRedis;
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        if (members.number() > 1) {
            return; // the first instance has said it
        }
        String url = "http://localhost:" + environment.getProperty("local.server.port")
                + environment.getProperty("server.servlet.context-path", "");
        System.out.print(LINES.replace("URL", url));
        embeddedRedis.ifAvailable(redis -> System.out.print(
                SECOND_PROCESS.replace("HOST", redis.host()).replace("PORT", String.valueOf(redis.port()))));
    }
}
