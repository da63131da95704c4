package dev.baton.lock.observation;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Main class of a JVM that contends for one lock and measures it. Arguments: host, port, threads, acquisitions per
 * thread, maximum number of local passes. Prints {@code ready}, starts at a line of input, and prints each meter as
 * {@code meter NAME TAG VALUE}, each span as {@code span EVENTS WAITED-FOR}, and {@code done}.
 */
final class ContendingProcess {

    private static final LockRequest REQUEST =
            LockRequest.of("shared", 1).waitUnbounded().recheck(Duration.ofMillis(200));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SimpleTracer tracer = new SimpleTracer();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final AtomicLong contended = new AtomicLong();

    public static void main(String[] args) throws Exception {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(args[0], Integer.parseInt(args[1]));
        factory.afterPropertiesSet();
        factory.start();
        new ContendingProcess()
                .run(factory, Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
        System.exit(0);
    }

    private ContendingProcess() {
        observations.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    private void run(LettuceConnectionFactory factory, int threads, int each, int passes) throws Exception {
        RedisLockStore store = RedisLockStore.builder(factory).build();
        LockTemplate locks = LockTemplate.builder(store)
                .cohortLimit(passes)
                .listener(new LockMeters(registry, 10, false))
                .observer(new ObservedLocks(observations, new DefaultLockObservationConvention(false)))
                .build();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(store::isListening);
        locks.execute("warm-up", ProcessHandle.current().pid(), Lease::isHeld);
        System.out.println("ready");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        List<Thread> contenders = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread contender = new Thread(() -> contend(locks, each));
            contender.start();
            contenders.add(contender);
        }
        for (Thread contender : contenders) {
            contender.join();
        }
        locks.close();
        // rechecks are counted in callback threads, which finish their tasks before they end
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("baton-callback")));
        registry.getMeters().stream()
                .filter(meter -> "shared".equals(meter.getId().getTag("scope")))
                .forEach(ContendingProcess::say);
        System.out.println("meter contended - " + contended);
        for (SimpleSpan span : tracer.getSpans()) {
            if (span.getTags().get("baton.scope").equals("shared")) {
                System.out.println(
                        "span " + span.getEvents().size() + " " + span.getTags().get("baton.waited.for"));
            }
        }
        System.out.println("done");
    }

    private void contend(LockTemplate locks, int each) {
        for (int i = 0; i < each; i++) {
            if (locks.execute(REQUEST, Lease::contended)) {
                contended.incrementAndGet();
            }
        }
    }

    private static void say(Meter meter) {
        String tag = meter.getId().getTags().stream()
                .filter(one -> !Set.of("scope", "mode").contains(one.getKey()))
                .map(one -> one.getValue())
                .findAny()
                .orElse("-");
        double first = meter.measure().iterator().next().getValue();
        System.out.println("meter " + meter.getId().getName() + " " + tag + " " + (long) first);
    }
}
