package dev.baton.lock.redis.key;

import dev.baton.lock.LockNames;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes every key and channel that Baton uses, and reads the lock key of a message back.
 *
 * <p>The kind precedes the name, so no name can collide with the helper key of another name. Only the first name of a
 * namespace may be a kind, so no namespace can collide either.
 */
public record RedisKeys(String root) {

    /** Follows the namespace in the keys of a semaphore. No namespace below the root contains this name. */
    private static final String PERMITS = ":permits";

    public String lock(LockName name) {
        return key("lock", name);
    }

    public String queue(LockName name) {
        return key("queue", name);
    }

    public String waiting(LockName name) {
        return key("wait", name);
    }

    public String over(LockName name, String id) {
        return key("over", name) + ":" + id;
    }

    /** Returns the key that counts the tokens of all locks on one server. */
    public String fence() {
        return root + ":fence";
    }

    /** Returns the key that counts the tokens of the locks of a slot of a Redis Cluster. */
    public String fence(int slot) {
        return fence() + ":{" + SlotTags.of(slot) + "}";
    }

    /** Returns the key of the identity of the only primary. */
    public String primary() {
        return root + ":primary";
    }

    /** Returns the key of the identity of a master of a Redis Cluster, in one of its slots. */
    public String primary(int slot) {
        return primary() + ":{" + SlotTags.of(slot) + "}";
    }

    /**
     * Returns the channel of a process. The channel does not reveal the instance, with which every request id begins. A
     * client that may publish but cannot read keys therefore cannot write a message that a process believes.
     */
    public String inbox(String instance) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(instance.getBytes(StandardCharsets.UTF_8));
            return inboxes() + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-1", ex);
        }
    }

    /** Returns the prefix of every inbox. The SHA-1 of the instance follows, in hexadecimal digits. */
    public String inboxes() {
        return root + ":inbox:";
    }

    /** Returns a Redis pattern for the lock keys of some names, of locks and semaphores, and perhaps of others. */
    public String locks(String namespace, NamePattern pattern) {
        StringBuilder glob = new StringBuilder();
        quote(prefix(namespace), glob);
        glob.append("*:lock:");
        // a name with its own hash tag has no braces around it, and Redis's ? matches one byte: use * for both
        glob.append('*');
        pattern.read(new NamePattern.Reader() {
            @Override
            public void any() {
                glob.append('*');
            }

            @Override
            public void one() {
                glob.append('*');
            }

            @Override
            public void literal(char character) {
                quote(String.valueOf(character), glob);
            }
        });
        return glob.append('*').toString();
    }

    private static void quote(String text, StringBuilder into) {
        for (int i = 0; i < text.length(); i++) {
            if ("*?[]\\".indexOf(text.charAt(i)) >= 0) {
                into.append('\\');
            }
            into.append(text.charAt(i));
        }
    }

    /**
     * Returns the names of the locks among the keys that {@link #locks} has found. That pattern matches slightly more than
     * the requested one.
     */
    public List<LockName> lockNames(List<String> found, String namespace, NamePattern pattern) {
        return found.stream()
                .filter(this::isLock)
                .map(this::lockName)
                .filter(name -> name.namespace().equals(namespace) && pattern.matches(name.name()))
                .toList();
    }

    /** Returns whether {@link #lock} can have made a key. */
    public boolean isLock(String key) {
        return named(key) != null;
    }

    /**
     * Returns the name whose lock key this is: the inverse of {@link #lock(LockName)}.
     *
     * @throws IllegalArgumentException if {@link #lock(LockName)} makes no such key
     */
    public LockName lockName(String lockKey) {
        LockName name = named(lockKey);
        if (name == null) {
            throw new IllegalArgumentException(
                    "'" + LockNames.printable(lockKey) + "' is not a lock key of namespace '" + root + "'");
        }
        return name;
    }

    private @Nullable LockName named(String lockKey) {
        int kind = lockKey.startsWith(":lock:", root.length())
                ? root.length()
                : lockKey.indexOf(":lock:", root.length() + 1);
        if (!lockKey.startsWith(root + ":") || kind < 0) {
            return null;
        }
        String before = lockKey.substring(root.length(), kind);
        boolean semaphore = before.endsWith(PERMITS);
        String nested = semaphore ? before.substring(0, before.length() - PERMITS.length()) : before;
        String namespace = nested.isEmpty() ? "" : nested.substring(1);
        String tagged = lockKey.substring(kind + ":lock:".length());
        boolean wrapped = tagged.startsWith("{") && tagged.length() > 1;
        LockName name = new LockName(namespace, wrapped ? tagged.substring(1, tagged.length() - 1) : tagged, semaphore);
        return name.name().isEmpty() || !lock(name).equals(lockKey) ? null : name;
    }

    private String key(String kind, LockName name) {
        return prefix(name.namespace()) + (name.semaphore() ? PERMITS : "") + ":" + kind + ":" + tagged(name.name());
    }

    private String prefix(String namespace) {
        return namespace.isEmpty() ? root : root + ":" + namespace;
    }

    /**
     * Adds braces to a name without a hash tag of its own. A name begins with its scope, which has no braces, so no
     * name looks like another name in braces.
     */
    private static String tagged(String name) {
        return hasHashTag(name) ? name : "{" + name + "}";
    }

    /** Applies the rule of Redis: the first opening brace, the next closing brace, and something between them. */
    private static boolean hasHashTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }
}
