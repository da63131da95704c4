package dev.baton.lock.harness;

/** An error reply of Redis; the message is the reply, for example {@code NOSCRIPT No matching script.}. */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Wraps an error reply.
     *
     * @param reply the reply of Redis, without the leading minus sign
     */
    public RedisErrorException(String reply) {
        super(reply);
    }

    /** Returns the first word of the reply, which names the kind of error: {@code ERR}, {@code NOSCRIPT}, ... */
    public String code() {
        String reply = String.valueOf(getMessage());
        int end = reply.indexOf(' ');
        return end < 0 ? reply : reply.substring(0, end);
    }
}
