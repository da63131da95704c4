package dev.baton.lock.store;

/**
 * Ends one request and asks for the same lock on behalf of another of the same process, who stands behind whoever waits. May
 * be carried out late, and more than once: neither id is ever used again.
 *
 * @param end of one lock, which is not kept from others
 * @param acquire for the same lock; of one request, which waits
 */
public record ExchangeCommand(EndCommand end, AcquireCommand acquire) {}
