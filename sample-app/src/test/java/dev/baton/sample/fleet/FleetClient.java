package dev.baton.sample.fleet;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the application over HTTP. */
class FleetClient {

    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();
    private final Environment environment;

    FleetClient(Environment environment) {
        this.environment = environment;
    }

    CompletableFuture<Answer> post(String path) {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    CompletableFuture<Answer> get(String path) {
        return send(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        String port = environment.getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Duration.ofSeconds(30));
    }

    private CompletableFuture<Answer> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), json.readTree(response.body())));
    }

    record Answer(int status, JsonNode body) {}
}
