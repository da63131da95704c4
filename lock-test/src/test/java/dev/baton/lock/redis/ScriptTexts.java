package dev.baton.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The scripts as the script tests load them: those of the store, unless one file is replaced for a while. */
public final class ScriptTexts {

    private static volatile String original = "";
    private static volatile String replacement = "";

    private ScriptTexts() {}

    /**
     * From now on the scripts are loaded with other contents of one file.
     *
     * @param contents what the file has in the store's scripts
     * @param other what it has instead
     */
    public static void replace(String contents, String other) {
        if (scripts().noneMatch(script -> text(script, "", "").contains(contents))) {
            throw new IllegalArgumentException("No script has this file: " + contents);
        }
        original = contents;
        replacement = other;
    }

    /** From now on the scripts are loaded as they are. */
    public static void restore() {
        original = "";
        replacement = "";
    }

    /** All scripts, as they are loaded now. */
    public static List<String> all() {
        return scripts().map(ScriptTexts::of).toList();
    }

    /** The test classes that load the scripts through this class. */
    public static List<Class<?>> testedBy() {
        return List.of(
                RenewScriptTests.class,
                EndScriptTests.class,
                ExchangeScriptTests.class,
                InspectScriptTests.class,
                ServerScriptTests.class,
                ForceReleaseScriptTests.class,
                AcquireScriptTests.class,
                AcquireHandOverTests.class,
                ScriptHandOverTests.class,
                SeveralLocksScriptTests.class,
                SeveralLocksEndTests.class,
                SeveralLocksHandOverTests.class,
                SeveralLocksOrderTests.class,
                ScriptRightsTests.class,
                ScriptRefusalTests.class);
    }

    static String of(LuaScript script) {
        return text(script, original, replacement);
    }

    static Stream<LuaScript> scripts() {
        return Stream.of(
                LuaScript.ACQUIRE,
                LuaScript.END,
                LuaScript.EXCHANGE,
                LuaScript.RENEW,
                LuaScript.INSPECT,
                LuaScript.SCAN,
                LuaScript.FORCE_RELEASE,
                LuaScript.SERVER);
    }

    private static String text(LuaScript script, String from, String to) {
        String text = new String(script.text(), StandardCharsets.UTF_8);
        return from.isEmpty() ? text : text.replace(from, to);
    }
}
