package dev.baton.lock.redis;

import dev.baton.lock.store.LockName;
import dev.baton.lock.store.NamePattern;

/**
 * Makes every key and channel that Baton touches, and reads the lock key of a message back.
 *
 * <p>The kind stands before the name, so no name can collide with another's helper key; and no name of a namespace but the
 * first may be a kind, so no namespace can.
 */
record RedisKeys(String root) {

    String lock(LockName name) {
        return key("lock", name);
    }

    String queue(LockName name) {
        return key("queue", name);
    }

    String waiting(LockName name) {
        return key("wait", name);
    }

    String over(LockName name, String id) {
        return key("over", name) + ":" + id;
    }

    String fence() {
        return root + ":fence";
    }

    String inbox(String instance) {
        return root + ":inbox:" + instance;
    }

    /** What every inbox begins with; the instance follows. */
    String inboxes() {
        return inbox("");
    }

    /** A pattern of Redis's for the lock keys of some names, and perhaps for a few others. */
    String locks(String namespace, NamePattern pattern) {
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
    boolean isLock(String key) {
        return key.startsWith(root + ":") && key.indexOf(":lock:", root.length()) >= 0;
    }

    /** The inverse of {@link #lock(LockName)}. */
    LockName lockName(String lockKey) {
        int kind = (lockKey.startsWith(":lock:", root.length()))
                ? root.length()
                : lockKey.indexOf(":lock:", root.length() + 1);
        if (!lockKey.startsWith(root + ":") || kind < 0) {
            throw new IllegalArgumentException("'" + lockKey + "' is no lock key of namespace '" + root + "'");
        }
        String namespace = kind == root.length() ? "" : lockKey.substring(root.length() + 1, kind);
        String tagged = lockKey.substring(kind + ":lock:".length());
        return new LockName(namespace, tagged.startsWith("{") ? tagged.substring(1, tagged.length() - 1) : tagged);
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
