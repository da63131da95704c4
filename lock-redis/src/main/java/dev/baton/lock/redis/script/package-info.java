/**
 * Lua scripts, one file per operation beside the classes of this package, and the classes that send them and read their
 * replies.
 *
 * <p>May use {@code redis.key}. A {@link dev.baton.lock.redis.script.ScriptTransport} hides the client library. Begin
 * with {@link dev.baton.lock.redis.script.LuaScript}, which says from which files each script is made, and
 * {@link dev.baton.lock.redis.script.ScriptCommands}.
 */
@NullMarked
package dev.baton.lock.redis.script;

import org.jspecify.annotations.NullMarked;
