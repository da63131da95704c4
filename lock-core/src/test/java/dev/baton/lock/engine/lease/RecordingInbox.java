package dev.baton.lock.engine.lease;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the grants and losses that the answers to ends report. */
final class RecordingInbox implements GrantInbox {

    /** Each hand-over as {@code id token sentAt}. */
    final List<String> handOvers = new CopyOnWriteArrayList<>();
    /** The locks for which an answer was lost. */
    final List<LockName> answersLost = new CopyOnWriteArrayList<>();

    @Override
    public void handedOver(List<LockName> names, String id, long token, long sentAt) {
        handOvers.add(id + " " + token + " " + sentAt);
    }

    @Override
    public void answerLost(LockName name) {
        answersLost.add(name);
    }

    @Override
    public void granted(List<LockName> names, String id, long token) {
        throw new AssertionError("only a message may report this");
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        throw new AssertionError("only a message may report this");
    }

    @Override
    public void listening() {
        throw new AssertionError("only a subscription may report this");
    }
}
