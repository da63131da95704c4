package dev.baton.lock.store;

/**
 * What became of both requests of an {@link ExchangeCommand}.
 *
 * @param ended what the one that was ended had been
 * @param acquired what became of the other one
 */
public record ExchangeReply(EndReply ended, AcquireReply acquired) {}
