package dev.baton.sample.simulate;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that all processes have in their memory: the counter that nothing protects but the lock under test, and, for the
 * progress, how many turns each thread has had.
 */
final class SharedMemory {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;

    private SharedMemory(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Opens the file, which is created if need be, for this many threads in all processes together. */
    static SharedMemory open(Path file, int threads) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedMemory(channel.map(FileChannel.MapMode.READ_WRITE, 0, (1L + threads) * Long.BYTES));
        }
    }

    long counter() {
        return read(0);
    }

    /** To be called with the value that was read, plus one. Without a lock, concurrent calls overwrite each other. */
    void counter(long value) {
        LONGS.setVolatile(memory, 0, value);
    }

    /** Each thread has a place of its own, counted from 0 over all processes. */
    void countTurn(int thread) {
        int place = (1 + thread) * Long.BYTES;
        LONGS.setVolatile(memory, place, read(place) + 1);
    }

    /** The turns of all threads so far. */
    long turns() {
        long sum = 0;
        for (int place = Long.BYTES; place < memory.capacity(); place += Long.BYTES) {
            sum += read(place);
        }
        return sum;
    }

    private long read(int place) {
        return (long) LONGS.getVolatile(memory, place);
    }
}
