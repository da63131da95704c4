package dev.baton.lock.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script as it is sent to Redis: one file per operation, and the libraries that this file includes.
 *
 * @param name the name of the file, without the extension
 * @param text the source, with all libraries
 * @param sha1 the name under which Redis caches the script
 */
@SuppressWarnings("ArrayRecordComponent") // sent as it is; scripts are never compared
public record LuaScript(String name, byte[] text, String sha1) {

    // declared before the scripts, because loading them uses the pattern
    private static final Pattern INCLUDE = Pattern.compile("^-- include ([\\w/]+)$", Pattern.MULTILINE);

    public static final LuaScript ACQUIRE = load("acquire");
    public static final LuaScript RELEASE = load("release");
    public static final LuaScript EXCHANGE = load("exchange");
    public static final LuaScript RENEW = load("renew");
    public static final LuaScript EXTEND = load("extend");
    public static final LuaScript DOWNGRADE = load("downgrade");
    public static final LuaScript AWAIT = load("await");
    public static final LuaScript SIGNAL = load("signal");
    public static final LuaScript SERVER = load("server");
    public static final LuaScript INSPECT = load("inspect");
    public static final LuaScript SCAN = load("scan");
    public static final LuaScript FORCE_RELEASE = load("force_release");
    public static final LuaScript FORCE_ACQUIRE = load("force_acquire");
    public static final LuaScript TELL_HOLDERS = load("tell_holders");
    public static final LuaScript RESIZE = load("resize");
    public static final LuaScript PRIMARY = load("primary");

    /** Returns the name of the script's file. */
    public String file() {
        return name + ".lua";
    }

    private static LuaScript load(String name) {
        byte[] text = resolve(name, LuaScript::read).getBytes(StandardCharsets.UTF_8);
        return new LuaScript(name, text, sha1(text));
    }

    /**
     * Returns the text of a script with its libraries: each line {@code -- include NAME} is replaced by that file.
     *
     * @param name the name of the script's file, without the extension
     * @param files returns the text of a file by its name without the extension
     * @throws IllegalStateException if a script includes a library twice, or a library includes another
     */
    public static String resolve(String name, UnaryOperator<String> files) {
        Set<String> included = new HashSet<>();
        return INCLUDE.matcher(files.apply(name)).replaceAll(line -> {
            String library = line.group(1);
            if (!included.add(library)) {
                throw new IllegalStateException(
                        name + ".lua includes " + library + ".lua twice; remove one of the lines");
            }
            String text = files.apply(library);
            if (INCLUDE.matcher(text).find()) {
                throw new IllegalStateException(library + ".lua, which " + name
                        + ".lua includes, includes another library; let " + name + ".lua include both");
            }
            return Matcher.quoteReplacement(text);
        });
    }

    /**
     * Returns the text of a script file.
     *
     * @param name the name of the file, without the extension
     * @throws IllegalStateException if there is no such file
     */
    public static String read(String name) {
        String file = name + ".lua";
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
