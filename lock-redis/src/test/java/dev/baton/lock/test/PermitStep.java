package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand.Kind;

/** One step of a random sequence about one semaphore. A request always asks for the same permits. */
sealed interface PermitStep {

    record Acquire(int process, int number, Kind kind) implements PermitStep {}

    record End(int process, int number, boolean kept) implements PermitStep {}

    record Renew(int process, int number) implements PermitStep {}

    /** Lets time pass. */
    record Age(long millis) implements PermitStep {}

    record Resize(int size, long millis) implements PermitStep {}

    record ForceRelease() implements PermitStep {}
}
