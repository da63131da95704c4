package dev.baton.lock.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script as it is sent to Redis.
 *
 * @param name its file, without the ending
 * @param text its source
 * @param sha1 the name under which Redis caches it
 */
@SuppressWarnings("ArrayRecordComponent") // as it is sent; nobody compares scripts
public record LuaScript(String name, byte[] text, String sha1) {

    public static final LuaScript ACQUIRE = load(
            "acquire",
            "tokens",
            "acquire_free",
            "waiter",
            "acquire_held",
            "acquire_again",
            "hand_over",
            "join",
            "acquire");
    public static final LuaScript END =
            load("end", "end_alone", "tokens", "waiter", "next_waiter", "end_to_next", "hand_over", "end");
    public static final LuaScript EXCHANGE = load(
            "exchange",
            "tokens",
            "exchange_alone",
            "waiter",
            "next_waiter",
            "exchange_to_next",
            "hand_over",
            "join",
            "exchange");
    public static final LuaScript RENEW = load("renew", "renew");
    public static final LuaScript PROLONG = load("extend", "tokens", "extend");
    public static final LuaScript SERVER = load("server", "server");

    public static final LuaScript INSPECT = load("inspect", "tokens", "waiter", "hand_over", "inspect");
    public static final LuaScript SCAN = load("scan", "scan");
    public static final LuaScript FORCE_RELEASE =
            load("force_release", "tokens", "waiter", "hand_over", "force_release");

    /** The name of its file. */
    public String file() {
        return name + ".lua";
    }

    private static LuaScript load(String name, String... files) {
        StringBuilder source = new StringBuilder();
        for (String file : files) {
            source.append(read(file + ".lua")).append('\n');
        }
        byte[] text = source.toString().getBytes(StandardCharsets.UTF_8);
        return new LuaScript(name, text, sha1(text));
    }

    private static String read(String file) {
        try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("script " + file + " is missing beside " + LuaScript.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    public static String sha1(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-1", ex);
        }
    }
}
