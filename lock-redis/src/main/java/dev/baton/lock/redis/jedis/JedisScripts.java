package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.script.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Carries out scripts on one connection of Jedis. */
final class JedisScripts {

    private JedisScripts() {}

    /** Returns the answer to EVALSHA, or to EVAL if Redis does not know the script (yet, or since a restart). */
    static List<Object> ask(Connection connection, LuaScript script, int keys, byte[][] keysAndArgs) {
        try {
            sendSha(connection, script, keys, keysAndArgs);
            return answer(connection, script);
        } catch (JedisNoScriptException ex) {
            connection.sendCommand(Command.EVAL, arguments(script.text(), keys, keysAndArgs));
            return answer(connection, script);
        }
    }

    /** Writes an EVALSHA into the buffer of the connection, which sends it when the answer is read. */
    static void sendSha(Connection connection, LuaScript script, int keys, byte[][] keysAndArgs) {
        connection.sendCommand(Command.EVALSHA, arguments(bytes(script.sha1()), keys, keysAndArgs));
    }

    /** Sends what is in the buffer, and reads the answer. */
    @SuppressWarnings("unchecked")
    static List<Object> answer(Connection connection, LuaScript script) {
        if (connection.getOne() instanceof List<?> list) {
            return (List<Object>) list;
        }
        throw new IllegalStateException(script.name() + ".lua answered no list");
    }

    private static byte[][] arguments(byte[] script, int keys, byte[][] keysAndArgs) {
        byte[][] all = new byte[keysAndArgs.length + 2][];
        all[0] = script;
        all[1] = bytes(Integer.toString(keys));
        System.arraycopy(keysAndArgs, 0, all, 2, keysAndArgs.length);
        return all;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
