package dev.baton.lock.engine;

import dev.baton.lock.engine.ticket.Acquisition;
import org.jspecify.annotations.Nullable;

/**
 * How a wait at a condition ended, with the lock held again.
 *
 * @param acquisition the acquisition that has the lock
 * @param inTime whether the wait ended for another reason than its time: a signal, or none (a spurious wake-up)
 * @param interrupt the interrupt that ended the wait before a signal, or {@code null} if none did
 */
public record AwaitOutcome(
        Acquisition acquisition, boolean inTime, @Nullable InterruptedException interrupt) {}
