package dev.baton.lock.support;

import dev.baton.lock.ReleaseMode;

/** Whether the processes of a test go on before their releases are answered: not unless {@link PipelinedModeTests} runs its suite. */
final class PipelinedMode {

    private static volatile boolean on;

    private PipelinedMode() {}

    /** Where the store allows it. */
    static LockTemplateBuilder configure(LockTemplateBuilder builder) {
        return on && builder.store.confirmedOnly() == null ? builder.release(ReleaseMode.PIPELINED) : builder;
    }

    static void set(boolean pipelined) {
        on = pipelined;
    }
}
