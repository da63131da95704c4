package dev.baton.lock.redis;

import dev.baton.lock.redis.script.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Provides the scripts for the script tests: those of the store, unless a test run replaces one file. */
public final class ScriptTexts {

    /** The lines around a usual case of a script. */
    private static final Pattern USUAL = Pattern.compile("(?ms)^-- usual case.*?^-- end of the usual case$");

    private static volatile String original = "";
    private static volatile String replacement = "";

    private ScriptTexts() {}

    /**
     * Replaces the contents of one file from now on.
     *
     * @param contents the contents of the file in the scripts of the store
     * @param other the replacement
     */
    public static void replace(String contents, String other) {
        if (scripts()
                .noneMatch(script -> LuaScript.read(script.name()).equals(contents)
                        || new String(script.text(), StandardCharsets.UTF_8).contains(contents))) {
            throw new IllegalArgumentException("No script has this file: " + contents);
        }
        original = contents;
        replacement = other;
    }

    /** Ends the replacement. */
    public static void restore() {
        original = "";
        replacement = "";
    }

    /** Returns all scripts, with the replacement. */
    public static List<String> all() {
        return scripts().map(ScriptTexts::of).toList();
    }

    /** Returns the test classes that load the scripts through this class. */
    public static List<Class<?>> testedBy() {
        return List.of(
                RenewScriptTests.class,
                ExtendScriptTests.class,
                EndScriptTests.class,
                EndAnswerTests.class,
                ExchangeScriptTests.class,
                InspectScriptTests.class,
                ServerScriptTests.class,
                PrimaryScriptTests.class,
                ForceReleaseScriptTests.class,
                ForceAcquireScriptTests.class,
                ForceAcquireSharedScriptTests.class,
                TellHoldersScriptTests.class,
                AcquireScriptTests.class,
                RefreshScriptTests.class,
                SharedScriptTests.class,
                SharedHandOverTests.class,
                DowngradeScriptTests.class,
                ConditionScriptTests.class,
                ConditionHandOverTests.class,
                SeveralSharedLocksTests.class,
                PermitScriptTests.class,
                PermitHandOverTests.class,
                AcquireHandOverTests.class,
                ScriptHandOverTests.class,
                UsualCaseTests.class,
                SeveralLocksScriptTests.class,
                SeveralLocksEndTests.class,
                SeveralLocksHandOverTests.class,
                SeveralLocksOrderTests.class,
                TokensAfterLossTests.class,
                ScriptRightsTests.class,
                OtherFormatTests.class,
                ScriptRefusalTests.class);
    }

    static String of(LuaScript script) {
        return LuaScript.resolve(script.name(), ScriptTexts::file);
    }

    /** Returns a script without its usual cases. */
    static String general(LuaScript script) {
        return LuaScript.resolve(script.name(), file -> {
            String text = file(file);
            return file.equals(script.name()) ? withoutUsualCase(text) : text;
        });
    }

    private static String withoutUsualCase(String text) {
        Matcher usual = USUAL.matcher(text);
        if (!usual.find()) {
            throw new IllegalArgumentException("No usual case: " + text);
        }
        return usual.replaceAll("");
    }

    /**
     * Returns the usual cases of a script with their libraries. If no case applies, the script returns
     * {@code general}.
     */
    static String usual(LuaScript script) {
        return LuaScript.resolve(script.name(), file -> {
            String text = file(file);
            return file.equals(script.name())
                    ? text.substring(0, text.indexOf("-- include lib/queue")) + "return 'general'"
                    : text;
        });
    }

    static Stream<LuaScript> scripts() {
        return Stream.of(
                LuaScript.ACQUIRE,
                LuaScript.RELEASE,
                LuaScript.EXCHANGE,
                LuaScript.DOWNGRADE,
                LuaScript.AWAIT,
                LuaScript.SIGNAL,
                LuaScript.RENEW,
                LuaScript.EXTEND,
                LuaScript.INSPECT,
                LuaScript.SCAN,
                LuaScript.FORCE_RELEASE,
                LuaScript.FORCE_ACQUIRE,
                LuaScript.TELL_HOLDERS,
                LuaScript.RESIZE,
                LuaScript.SERVER,
                LuaScript.PRIMARY);
    }

    private static String file(String name) {
        String text = LuaScript.read(name);
        return text.equals(original) ? replacement : text;
    }
}
