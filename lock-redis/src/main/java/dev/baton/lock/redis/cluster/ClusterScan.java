package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lists the held locks of one master after the other, in the order of their lowest slots. A cursor names the lowest slot of
 * the master and, after a slash, the cursor there. Locks whose slot moves meanwhile may be missing, or be found twice.
 */
public final class ClusterScan {

    private final Cluster cluster;
    private final BiFunction<ScriptTransport, ScanCommand, CompletableFuture<ScanPage>> scan;

    /**
     * Creates the scan.
     *
     * @param scan asks one master
     */
    public ClusterScan(Cluster cluster, BiFunction<ScriptTransport, ScanCommand, CompletableFuture<ScanPage>> scan) {
        this.cluster = cluster;
        this.scan = scan;
    }

    /** Returns the page after a cursor. */
    public CompletableFuture<ScanPage> page(ScanCommand command) {
        List<Integer> slots = List.copyOf(cluster.map().lowestSlots().values());
        Place place = Place.of(command.cursor());
        Integer slot = slots.stream()
                .filter(lowest -> lowest >= place.slot())
                .findFirst()
                .orElse(null);
        if (slot == null) {
            return slots.isEmpty()
                    ? CompletableFuture.failedFuture(cluster.unknownSlots())
                    : CompletableFuture.completedFuture(new ScanPage(List.of(), ScanCommand.START));
        }
        ScriptTransport master = cluster.master(slot);
        if (master == null) {
            return CompletableFuture.failedFuture(cluster.unknownSlots());
        }
        // the master of the cursor may have lost its slots: then the next begins from its start
        String cursor = slot == place.slot() ? place.cursor() : ScanCommand.START;
        ScanCommand there = new ScanCommand(command.namespace(), command.pattern(), cursor, command.timeoutNanos());
        Integer next =
                slots.stream().filter(lowest -> lowest > slot).findFirst().orElse(null);
        return scan.apply(master, there).thenApply(page -> new ScanPage(page.names(), cursor(page, slot, next)));
    }

    private static String cursor(ScanPage page, int slot, @Nullable Integer next) {
        if (!page.isLast()) {
            return slot + "/" + page.cursor();
        }
        return next == null ? ScanCommand.START : next + "/" + ScanCommand.START;
    }

    /**
     * A place in the list.
     *
     * @param slot the lowest slot of the master, or less
     * @param cursor the cursor at that master
     */
    private record Place(int slot, String cursor) {

        static Place of(String cursor) {
            int slash = cursor.indexOf('/');
            return slash < 0
                    ? new Place(0, ScanCommand.START)
                    : new Place(Integer.parseInt(cursor.substring(0, slash)), cursor.substring(slash + 1));
        }
    }
}
