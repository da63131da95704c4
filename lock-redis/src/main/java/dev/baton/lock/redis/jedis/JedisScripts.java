package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.script.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Carries out scripts on one connection of Jedis. */
final class JedisScripts {

    private JedisScripts() {}

    /** Returns the answer to EVALSHA, or to EVAL if Redis does not know the script (yet, or since a restart). */
    static List<Object> ask(Connection connection, ScriptCall<?> call) {
        try {
            sendSha(connection, call);
            return answer(connection, call);
        } catch (JedisNoScriptException ex) {
            send(connection, Command.EVAL, call.script().text(), call);
            return answer(connection, call);
        }
    }

    /** Writes an EVALSHA into the buffer of the connection, which sends it when the answer is read. */
    static void sendSha(Connection connection, ScriptCall<?> call) {
        send(connection, Command.EVALSHA, call.script().sha1().getBytes(StandardCharsets.UTF_8), call);
    }

    private static void send(Connection connection, Command command, byte[] script, ScriptCall<?> call) {
        CommandArguments arguments =
                new CommandArguments(command).add(raw(script)).add(call.keys().length);
        for (byte[] key : call.keys()) {
            arguments.add(raw(key));
        }
        for (byte[] arg : call.args()) {
            arguments.add(raw(arg));
        }
        connection.sendCommand(arguments);
    }

    /** Returns an argument that is sent as it is. Jedis would copy a plain array. */
    private static Rawable raw(byte[] argument) {
        return () -> argument;
    }

    /** Sends what is in the buffer, and reads the answer. */
    @SuppressWarnings("unchecked")
    static List<Object> answer(Connection connection, ScriptCall<?> call) {
        if (connection.getOne() instanceof List<?> list) {
            return (List<Object>) list;
        }
        throw new IllegalStateException(call.script().file() + " answered no list");
    }
}
