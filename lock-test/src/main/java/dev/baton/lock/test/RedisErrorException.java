package dev.baton.lock.test;

/** An error reply of Redis; the message is the reply, for example {@code NOSCRIPT No matching script.}. */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Wraps an error reply.
     *
     * @param reply what Redis answered, without the leading minus sign
     */
    public RedisErrorException(String reply) {
        super(reply);
    }

    /** The first word of the reply, by which Redis names the kind of error: {@code ERR}, {@code NOSCRIPT}, ... */
    public String code() {
        String reply = String.valueOf(getMessage());
        int end = reply.indexOf(' ');
        return end < 0 ? reply : reply.substring(0, end);
    }
}
