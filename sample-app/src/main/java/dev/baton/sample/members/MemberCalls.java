package dev.baton.sample.members;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks all instances, this one too, what they are doing; each has at most two seconds to answer. */
@Component
class MemberCalls {

    private static final Duration MOST = Duration.ofSeconds(2);

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(MOST).build();
    private final Members members;
    private final JsonMapper json;
    private final String path;

    MemberCalls(Members members, JsonMapper json, Environment environment) {
        this.members = members;
        this.json = json;
        this.path = environment.getProperty("server.servlet.context-path", "") + "/instance";
    }

    /** By their number. */
    List<Answer> ask() {
        List<Integer> ports = members.ports();
        List<CompletableFuture<Answer>> answers = IntStream.range(0, ports.size())
                .mapToObj(i -> ask(i + 1, ports.get(i)))
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<Answer> ask(int number, int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(MOST)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(number, port, json.readTree(response.body()), null))
                .exceptionally(ex -> new Answer(number, port, null, why(ex, port)));
    }

    private static String why(Throwable problem, int port) {
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        return cause instanceof ConnectException
                ? "nothing listens on port " + port
                : "no answer from port " + port + " (" + cause.getMessage() + ")";
    }

    /**
     * The answer of an instance.
     *
     * @param body null if it did not answer
     * @param error null if it did
     */
    record Answer(
            int number,
            int port,
            @Nullable JsonNode body,
            @Nullable String error) {

        long pid() {
            return body == null ? -1 : body.path("pid").asLong();
        }
    }
}
