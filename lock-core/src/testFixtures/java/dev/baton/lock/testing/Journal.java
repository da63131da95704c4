package dev.baton.lock.testing;

import java.util.ArrayList;
import java.util.List;

/** Records the steps of a test, in order over all threads. */
public final class Journal {

    private final List<String> entries = new ArrayList<>();

    public synchronized void add(String entry) {
        entries.add(entry);
    }

    public synchronized List<String> entries() {
        return List.copyOf(entries);
    }
}
