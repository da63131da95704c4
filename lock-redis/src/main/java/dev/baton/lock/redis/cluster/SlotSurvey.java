package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.client.ServerAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers of a cluster for its slots. Each is asked on a thread of its own, because one that does not answer may keep
 * the thread for a minute. Such a server is not asked again meanwhile. One thread at a time uses the survey.
 */
final class SlotSurvey {

    private final ExecutorService askers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "baton-store-slots");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<ServerAddress> underWay = ConcurrentHashMap.newKeySet();
    private final Function<ServerAddress, @Nullable Object> ask;
    private final long boundMillis;

    /**
     * Creates the survey.
     *
     * @param ask sends {@code CLUSTER SLOTS} to a server and waits for the reply
     * @param boundMillis how long answers are awaited
     */
    SlotSurvey(Function<ServerAddress, @Nullable Object> ask, long boundMillis) {
        this.ask = ask;
        this.boundMillis = boundMillis;
    }

    /**
     * What servers have answered.
     *
     * @param map what most of them said, or {@code null} if none has answered with any slots
     * @param answers how many servers have answered with slots
     * @param failure why a server has not answered, or {@code null}
     */
    record Result(
            @Nullable ClusterMap map, int answers, @Nullable Throwable failure) {}

    /** One answer: a map, or a failure. */
    private record Answer(
            @Nullable ClusterMap map, @Nullable Throwable failure) {}

    /** Asks one of these servers, by chance. */
    Result ofOne(Collection<ServerAddress> servers) {
        List<ServerAddress> all = List.copyOf(servers);
        return ofAll(List.of(all.get(ThreadLocalRandom.current().nextInt(all.size()))));
    }

    /** Asks all these servers at once. */
    Result ofAll(Collection<ServerAddress> servers) {
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        int asked = 0;
        for (ServerAddress server : servers) {
            if (underWay.add(server)) {
                askers.execute(() -> answers.add(answer(server)));
                asked++;
            }
        }
        return count(collect(answers, asked));
    }

    private Answer answer(ServerAddress server) {
        try {
            return new Answer(ClusterMap.read(ask.apply(server), server), null);
        } catch (RuntimeException ex) {
            return new Answer(null, ex);
        } finally {
            underWay.remove(server);
        }
    }

    private List<Answer> collect(BlockingQueue<Answer> answers, int asked) {
        List<Answer> collected = new ArrayList<>();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(boundMillis);
        try {
            while (collected.size() < asked) {
                Answer next = answers.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                collected.add(next);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        return collected;
    }

    /** Counts the answers. Of two that are as frequent, the first counts. */
    private static Result count(List<Answer> answers) {
        Map<ClusterMap, Integer> votes = new LinkedHashMap<>();
        int counted = 0;
        Throwable failure = null;
        for (Answer answer : answers) {
            ClusterMap map = answer.map();
            if (map != null && !map.isEmpty()) {
                votes.merge(map, 1, Integer::sum);
                counted++;
            } else if (answer.failure() != null) {
                failure = answer.failure();
            }
        }
        ClusterMap most = null;
        for (Map.Entry<ClusterMap, Integer> vote : votes.entrySet()) {
            if (most == null || vote.getValue() > votes.getOrDefault(most, 0)) {
                most = vote.getKey();
            }
        }
        return new Result(most, counted, failure);
    }

    void close() {
        askers.shutdownNow();
    }
}
