package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockListener;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** What the store has said about the end of one claim. Thread-safe. */
public final class ReleaseOutcome {

    private static final AtomicReferenceFieldUpdater<ReleaseOutcome, @Nullable EndReply> FIRST =
            AtomicReferenceFieldUpdater.newUpdater(ReleaseOutcome.class, EndReply.class, "first");

    private final String id;
    /** All of its locks. */
    private final List<LockName> names;

    /** Who was granted its locks when it was released, as far as the store has said. */
    private volatile List<String> handedTo = List.of();
    /** Those of its locks that were found lost; empty: none, or all of them. */
    private volatile List<LockName> missing = List.of();

    /** What was answered to the first end that was: whoever ends it once more learns nothing new. */
    private volatile @Nullable EndReply first;

    ReleaseOutcome(String id, List<LockName> names) {
        this.id = id;
        this.names = names;
    }

    /** An end was answered so; returns what was answered to the first. */
    public EndReply answered(EndReply reply) {
        FIRST.compareAndSet(this, null, reply);
        return Objects.requireNonNull(first);
    }

    /** The store does not know these to be held by the claim any more. */
    public void missing(List<LockName> gone) {
        missing = List.copyOf(gone);
    }

    public void handedTo(List<String> ids) {
        handedTo = ids;
    }

    /** Whose turn it was after its release, by process. */
    public List<LockListener.HandOver> handOvers() {
        if (handedTo.isEmpty()) {
            return List.of();
        }
        // whatever the ids of its process begin with; made here only, for there are many who wait
        String ours = id.substring(0, id.lastIndexOf(':') + 1);
        return handedTo.stream()
                .map(next -> next.startsWith(ours) ? LockListener.HandOver.LOCAL : LockListener.HandOver.REMOTE)
                .toList();
    }

    /** Of a lost claim, which locks were lost. */
    public List<String> lostNames() {
        List<LockName> lost = missing;
        return (lost.isEmpty() ? names : lost).stream().map(LockName::name).toList();
    }
}
