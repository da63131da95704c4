package dev.baton.lock.support;

import dev.baton.lock.LockState;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lists the held locks page by page, and inspects each lock shortly before it is read. Read by one thread at a time, as
 * streams are.
 */
final class LockListing extends Spliterators.AbstractSpliterator<LockState> {

    /** The number of locks that are inspected together. */
    private static final int TOGETHER = 64;

    private final LockInspector inspector;
    private final String namespace;
    private final NamePattern pattern;
    /** The names that were already listed, because a store may return a name again. */
    private final Set<LockName> seen = new HashSet<>();

    private final Queue<LockName> names = new ArrayDeque<>();
    private final Queue<CompletableFuture<LockState>> states = new ArrayDeque<>();
    /** The start of the next page, or {@code null} if the last page has been read. */
    private @Nullable String cursor = ScanCommand.START;

    private volatile boolean closed;

    LockListing(LockInspector inspector, String namespace, NamePattern pattern) {
        super(Long.MAX_VALUE, Spliterator.NONNULL | Spliterator.DISTINCT);
        this.inspector = inspector;
        this.namespace = namespace;
        this.pattern = pattern;
    }

    Stream<LockState> stream() {
        return StreamSupport.stream(this, false).onClose(() -> closed = true);
    }

    @Override
    public boolean tryAdvance(Consumer<? super LockState> action) {
        while (!closed) {
            CompletableFuture<LockState> next = states.poll();
            if (next != null) {
                LockState state = inspector.answer(next, pattern.text());
                // the lock may have been released since the page was made
                if (state.isLocked()) {
                    action.accept(state);
                    return true;
                }
            } else if (!names.isEmpty()) {
                look();
            } else if (!nextPage()) {
                return false;
            }
        }
        return false;
    }

    private void look() {
        for (int i = 0; i < TOGETHER && !names.isEmpty(); i++) {
            states.add(inspector.state(names.remove(), LockState.MOST_WAITERS));
        }
    }

    private boolean nextPage() {
        String from = cursor;
        if (from == null) {
            return false;
        }
        ScanPage page = inspector.scan(namespace, pattern, from);
        cursor = page.isLast() ? null : page.cursor();
        List<LockName> fresh = page.names().stream().filter(seen::add).toList();
        names.addAll(fresh);
        return true;
    }
}
