package dev.baton.lock.redis.script;

import dev.baton.lock.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A script to carry out once.
 *
 * @param keys the keys, as they are sent
 * @param args the arguments, as they are sent
 * @param reader reads the reply
 */
@SuppressWarnings("ArrayRecordComponent") // sent as they are; calls are never compared
public record ScriptCall<T>(LuaScript script, byte[][] keys, byte[][] args, Function<List<Object>, T> reader) {

    /** Returns the keys, and the arguments after them. */
    public byte[][] keysAndArgs() {
        byte[][] all = Arrays.copyOf(keys, keys.length + args.length);
        System.arraycopy(args, 0, all, keys.length, args.length);
        return all;
    }

    /**
     * Reads the reply and completes a future with what it says. A reply of an unexpected form counts as no answer.
     * Lettuce repeats a command whose connection broke in the middle of the answer. Lettuce then appends the second
     * answer to the beginning of the first.
     */
    public void complete(CompletableFuture<T> future, List<Object> reply) {
        try {
            future.complete(reader.apply(reply));
        } catch (RuntimeException ex) {
            future.completeExceptionally(new StoreException(
                    "the reply of Redis to " + script.file()
                            + " could not be read: the connection broke in the"
                            + " middle of it, or something in between changes replies",
                    true,
                    ex));
        } catch (Error ex) {
            future.completeExceptionally(ex);
        }
    }
}
