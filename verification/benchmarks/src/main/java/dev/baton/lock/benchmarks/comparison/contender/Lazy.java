package dev.baton.lock.benchmarks.comparison.contender;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first needed, and ended only then. For one thread at a time. */
final class Lazy<T> {

    private final Supplier<T> make;
    private final Consumer<T> end;
    private @Nullable T made;

    Lazy(Supplier<T> make, Consumer<T> end) {
        this.make = make;
        this.end = end;
    }

    T get() {
        T present = made;
        if (present == null) {
            present = make.get();
            made = present;
        }
        return present;
    }

    void close() {
        if (made != null) {
            end.accept(made);
            made = null;
        }
    }
}
