package dev.baton.lock.redis;

import java.nio.charset.StandardCharsets;

/**
 * Computes the slot of a key in Redis Cluster, by the cluster specification: CRC16 (XMODEM) of its hash tag or of the
 * whole key.
 */
public final class Slots {

    private static final int SLOTS = 16384;

    private Slots() {}

    public static int of(String key) {
        return crc16(hashed(key)) % SLOTS;
    }

    public static String hashed(String key) {
        int open = key.indexOf('{');
        if (open < 0) {
            return key;
        }
        int close = key.indexOf('}', open + 1);
        return close < 0 || close == open + 1 ? key : key.substring(open + 1, close);
    }

    public static int crc16(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
            crc &= 0xffff;
        }
        return crc;
    }
}
