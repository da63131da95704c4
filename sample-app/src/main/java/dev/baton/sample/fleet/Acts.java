package dev.baton.sample.fleet;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.springframework.stereotype.Component;

/** When this process acted on which server: those under way, and the last {@value #KEPT} that have ended. */
@Component
class Acts {

    private static final int KEPT = 200;

    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedDeque<Running> ended = new ConcurrentLinkedDeque<>();

    /** To be closed when the act has ended. */
    Running begin(String server, String kind) {
        Running act = new Running(server, kind, System.nanoTime());
        running.add(act);
        return act;
    }

    List<Act> recent() {
        // in this order, against that of end: an act that ends meanwhile is found in both, or in one, and listed once
        Set<Running> acts = new LinkedHashSet<>(running);
        acts.addAll(ended);
        return acts.stream()
                .map(act -> new Act(act.server, act.kind, act.from, act.to))
                .toList();
    }

    private void end(Running act) {
        act.to = System.nanoTime();
        ended.addLast(act);
        running.remove(act);
        while (ended.size() > KEPT) {
            ended.pollFirst();
        }
    }

    /** An act that is under way. */
    final class Running implements AutoCloseable {

        private final String server;
        private final String kind;
        private final long from;
        private volatile long to = Long.MAX_VALUE;

        private Running(String server, String kind, long from) {
            this.server = server;
            this.kind = kind;
            this.from = from;
        }

        @Override
        public void close() {
            end(this);
        }
    }

    /**
     * An act, by {@link System#nanoTime()}, which all processes of a machine read from the same clock.
     *
     * @param to {@link Long#MAX_VALUE}: it is under way
     */
    record Act(String server, String kind, long from, long to) {}
}
