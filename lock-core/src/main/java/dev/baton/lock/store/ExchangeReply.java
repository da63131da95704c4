package dev.baton.lock.store;

/**
 * Reply to an {@link ExchangeCommand}.
 *
 * @param ended the reply for the request that was ended
 * @param acquired the reply for the other request
 */
public record ExchangeReply(EndReply ended, AcquireReply acquired) {}
