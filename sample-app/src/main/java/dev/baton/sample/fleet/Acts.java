package dev.baton.sample.fleet;

import java.util.ArrayList;
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
    private final ConcurrentLinkedDeque<Act> ended = new ConcurrentLinkedDeque<>();

    /** To be closed when the act has ended. */
    Running begin(String server, String kind) {
        Running act = new Running(server, kind, System.nanoTime());
        running.add(act);
        return act;
    }

    List<Act> recent() {
        List<Act> acts = new ArrayList<>();
        running.forEach(act -> acts.add(new Act(act.server, act.kind, act.from, Long.MAX_VALUE)));
        acts.addAll(ended);
        return acts;
    }

    private void end(Running act) {
        running.remove(act);
        ended.addLast(new Act(act.server, act.kind, act.from, System.nanoTime()));
        while (ended.size() > KEPT) {
            ended.pollFirst();
        }
    }

    /** An act that is under way. */
    final class Running implements AutoCloseable {

        private final String server;
        private final String kind;
        private final long from;

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
