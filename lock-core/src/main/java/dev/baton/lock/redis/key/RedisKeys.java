package dev.baton.lock.redis.key;

import dev.baton.lock.LockNames;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Makes every key and channel that Baton touches, and reads the lock key of a message back.
 *
 * <p>The kind stands before the name, so no name can collide with another's helper key; and no name of a namespace but the
 * first may be a kind, so no namespace can.
 */
public record RedisKeys(String root) {

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

    public String fence() {
        return root + ":fence";
    }

    /**
     * The channel of a process. It does not tell the instance, which every request id begins with: a client that may publish, and
     * cannot read keys, cannot write a message that a process believes.
     */
    public String inbox(String instance) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(instance.getBytes(StandardCharsets.UTF_8));
            return inboxes() + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-1", ex);
        }
    }

    /** What every inbox begins with; the SHA-1 of the instance follows, in hexadecimal digits. */
    public String inboxes() {
        return root + ":inbox:";
    }

    /** A pattern of Redis's for the lock keys of some names, and perhaps for a few others. */
    public String locks(String namespace, NamePattern pattern) {
        StringBuilder glob = new StringBuilder();
        quote(prefix(namespace) + ":lock:", glob);
        // one that has a tag of its own stands without braces; and Redis's ? is a byte
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

    /** Whether a key can be one that {@link #lock} has made. */
    public boolean isLock(String key) {
        return named(key) != null;
    }

    /**
     * The inverse of {@link #lock(LockName)}.
     *
     * @throws IllegalArgumentException if {@link #lock(LockName)} makes no such key
     */
    public LockName lockName(String lockKey) {
        LockName name = named(lockKey);
        if (name == null) {
            throw new IllegalArgumentException(
                    "'" + LockNames.printable(lockKey) + "' is no lock key of namespace '" + root + "'");
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
        String namespace = kind == root.length() ? "" : lockKey.substring(root.length() + 1, kind);
        String tagged = lockKey.substring(kind + ":lock:".length());
        boolean wrapped = tagged.startsWith("{") && tagged.length() > 1;
        LockName name = new LockName(namespace, wrapped ? tagged.substring(1, tagged.length() - 1) : tagged);
        return name.name().isEmpty() || !lock(name).equals(lockKey) ? null : name;
    }

    private String key(String kind, LockName name) {
        return prefix(name.namespace()) + ":" + kind + ":" + tagged(name.name());
    }

    private String prefix(String namespace) {
        return namespace.isEmpty() ? root : root + ":" + namespace;
    }

    /** A scope has no braces, so a name in braces is never one that has its own tag. */
    private static String tagged(String name) {
        return hasHashTag(name) ? name : "{" + name + "}";
    }

    /** Redis's own rule: the first opening brace, the next closing one, and something between. */
    private static boolean hasHashTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }
}
