package dev.baton.lock.store;

/**
 * Ends one request, and asks for the same lock on behalf of another request of the same process, which joins the queue
 * behind all waiters. The command may be carried out late and more than once, because neither id is ever used again.
 *
 * @param end the end of a request for one lock, which is not kept from others
 * @param acquire the acquire of the same lock, for one request, which waits
 */
public record ExchangeCommand(EndCommand end, AcquireCommand acquire) {}
