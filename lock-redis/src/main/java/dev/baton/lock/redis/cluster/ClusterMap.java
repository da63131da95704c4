package dev.baton.lock.redis.cluster;

import dev.baton.lock.redis.client.ServerAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Which master of a Redis Cluster has which slots. Immutable.
 *
 * @param ranges the ranges of slots that have a master, in their order
 */
record ClusterMap(List<Range> ranges) {

    static final ClusterMap EMPTY = new ClusterMap(List.of());

    /** Some slots that follow each other, all of one master. */
    record Range(int first, int last, ServerAddress master) {}

    ClusterMap {
        ranges = ranges.stream().sorted(Comparator.comparingInt(Range::first)).toList();
    }

    /**
     * Reads the reply to {@code CLUSTER SLOTS}.
     *
     * @param asked the server that replied; a server that does not know its own address gives none
     * @throws IllegalArgumentException if the reply has another form
     */
    static ClusterMap read(@Nullable Object reply, ServerAddress asked) {
        List<Range> ranges = new ArrayList<>();
        for (Object one : list(reply)) {
            List<?> range = list(one);
            if (range.size() < 3) {
                throw new IllegalArgumentException("a range of slots without a master: " + range);
            }
            List<?> master = list(range.get(2));
            String host = text(master.get(0));
            ranges.add(new Range(
                    slot(range.get(0)),
                    slot(range.get(1)),
                    new ServerAddress(
                            host.isEmpty() || host.equals("?") ? asked.host() : host, number(master.get(1)))));
        }
        return new ClusterMap(ranges);
    }

    private static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("not a list: " + reply);
    }

    private static String text(@Nullable Object reply) {
        if (reply == null) {
            return "";
        }
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : reply.toString();
    }

    private static int number(@Nullable Object reply) {
        if (reply instanceof Number number) {
            return number.intValue();
        }
        throw new IllegalArgumentException("not a number: " + text(reply));
    }

    private static int slot(@Nullable Object reply) {
        int slot = number(reply);
        if (slot < 0 || slot >= ClusterSlotHashUtil.SLOT_COUNT) {
            throw new IllegalArgumentException("not a slot: " + slot);
        }
        return slot;
    }

    /** Returns the master of a slot, or {@code null} if it has none. */
    @Nullable
    ServerAddress masterOf(int slot) {
        for (Range range : ranges) {
            if (range.first() <= slot && slot <= range.last()) {
                return range.master();
            }
        }
        return null;
    }

    /** Returns all masters with slots, in the order of their lowest slots. */
    Set<ServerAddress> masters() {
        return new LinkedHashSet<>(lowestSlots().keySet());
    }

    /** Returns the lowest slot of each master, in the order of these slots. */
    Map<ServerAddress, Integer> lowestSlots() {
        Map<ServerAddress, Integer> lowest = new LinkedHashMap<>();
        ranges.forEach(range -> lowest.putIfAbsent(range.master(), range.first()));
        return lowest;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }
}
