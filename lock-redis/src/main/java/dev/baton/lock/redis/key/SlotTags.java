package dev.baton.lock.redis.key;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/** Has a short hash tag for each slot of a Redis Cluster: the smallest number whose digits are in the slot. */
final class SlotTags {

    private static final String[] TAGS = tags();

    private SlotTags() {}

    /** Returns the tag of a slot, without braces. */
    static String of(int slot) {
        return TAGS[slot];
    }

    private static String[] tags() {
        String[] tags = new String[ClusterSlotHashUtil.SLOT_COUNT];
        int left = tags.length;
        for (int number = 0; left > 0; number++) {
            String digits = Integer.toString(number);
            int slot = ClusterSlotHashUtil.calculateSlot(digits);
            if (tags[slot] == null) {
                tags[slot] = digits;
                left--;
            }
        }
        return tags;
    }
}
