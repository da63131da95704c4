/**
 * The Lua scripts, one file per operation beside this package's classes, and what sends them and reads their replies.
 *
 * <p>May use {@code redis.key}. A client library comes in as a {@link dev.baton.lock.redis.script.ScriptTransport}. Begin with
 * {@link dev.baton.lock.redis.script.LuaScript}, which says of which files each script is made, and
 * {@link dev.baton.lock.redis.script.ScriptCommands}.
 */
@NullMarked
package dev.baton.lock.redis.script;

import org.jspecify.annotations.NullMarked;
