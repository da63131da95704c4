package dev.baton.lock.engine.lease;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An inbox that lists what the answers to ends have told. */
final class RecordingInbox implements GrantInbox {

    /** Each hand-over as {@code id token sentAt}. */
    final List<String> handOvers = new CopyOnWriteArrayList<>();
    /** The locks of which an answer was lost. */
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
        throw new AssertionError("only a message tells this");
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        throw new AssertionError("only a message tells this");
    }

    @Override
    public void listening() {
        throw new AssertionError("only a subscription tells this");
    }
}
