package dev.baton.sample.members;

import static org.awaitility.Awaitility.await;

import dev.baton.sample.launch.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The sample with {@code --fleet}, started from the command line. */
final class Fleet implements AutoCloseable {

    private static final Pattern URL = Pattern.compile("Fleet manager at (http://localhost:\\d+)");
    private static final Pattern REDIS = Pattern.compile("started one on 127\\.0\\.0\\.1:(\\d+)");
    private static final Duration START = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> url = new CompletableFuture<>();
    private final Process first;
    private final Thread reader = new Thread(this::follow, "fleet");

    private Fleet(Process first) {
        this.first = first;
    }

    static Fleet start(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--server.port=0");
        Process first = new ProcessBuilder(JavaCommand.of(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"), all))
                .redirectErrorStream(true)
                .start();
        Fleet fleet = new Fleet(first);
        fleet.reader.setDaemon(true);
        fleet.reader.start();
        return fleet;
    }

    private void follow() {
        try (BufferedReader reader = first.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                output.add(line);
                Matcher matcher = URL.matcher(line);
                if (matcher.find()) {
                    url.complete(matcher.group(1));
                }
            }
        } catch (IOException ex) {
            output.add(ex.toString());
        }
        url.completeExceptionally(new IllegalStateException("ended before it was up: " + output));
    }

    /** Waits until all instances answer. Ends them if they do not. */
    Fleet awaitUp(int size) {
        try {
            awaitAnswers(size);
            return this;
        } catch (RuntimeException ex) {
            close();
            throw new IllegalStateException("not all instances are up; they printed " + output, ex);
        }
    }

    private void awaitAnswers(int size) {
        url.orTimeout(START.toSeconds(), TimeUnit.SECONDS).join();
        await("all instances up")
                .atMost(START)
                .until(
                        () -> fleet().path("instances"),
                        instances -> instances.size() == size
                                && instances
                                        .valueStream()
                                        .allMatch(instance ->
                                                instance.path("error").isNull()));
    }

    /** Returns the address of the first instance. */
    String url() {
        return url.join();
    }

    JsonNode fleet() {
        return new JsonMapper().readTree(get("/fleet"));
    }

    String get(String path) {
        return send(request(path).GET());
    }

    String post(String path) {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url.join() + path)).timeout(Duration.ofSeconds(20));
    }

    private String send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    List<ProcessHandle> processes() {
        return fleet().path("instances")
                .valueStream()
                .map(instance -> ProcessHandle.of(instance.path("pid").asLong()).orElseThrow())
                .toList();
    }

    int redisPort() {
        return output.stream()
                .map(REDIS::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no Redis in " + output));
    }

    /** Ends the fleet by {@code kill} or, if forced, by {@code kill -9}. The output can be read to its end. */
    void end(boolean graceful) {
        if (graceful) {
            first.toHandle().destroy();
        } else {
            first.toHandle().destroyForcibly();
        }
    }

    /** Returns the output so far. */
    List<String> output() {
        return output;
    }

    /** Ends the fleet by {@code kill}. Returns the output from then to the end. */
    List<String> outputOfTheEnd() {
        int printed = output.size();
        end(true);
        await("the output ended").atMost(Duration.ofSeconds(40)).until(() -> !reader.isAlive());
        return output.subList(printed, output.size());
    }

    @Override
    public void close() {
        first.destroy();
        await("the first instance ended").atMost(Duration.ofSeconds(40)).until(() -> !first.isAlive());
    }
}
