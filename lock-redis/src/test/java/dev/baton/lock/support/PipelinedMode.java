package dev.baton.lock.support;

import dev.baton.lock.ReleaseMode;
import org.awaitility.Awaitility;

/** Whether the processes of a test go on before their releases are answered: not unless {@link PipelinedModeTests} runs its suite. */
final class PipelinedMode {

    private static volatile boolean on;

    private PipelinedMode() {}

    /** Where the store allows it. */
    static LockTemplateBuilder configure(LockTemplateBuilder builder) {
        return on && builder.store.traits().confirmedOnly() == null ? builder.release(ReleaseMode.PIPELINED) : builder;
    }

    /** Asserts what a release has brought about: at once, unless it may not have reached Redis yet. */
    static void assertReleased(Runnable assertion) {
        if (on) {
            Awaitility.await().untilAsserted(assertion::run);
        } else {
            assertion.run();
        }
    }

    static boolean isOn() {
        return on;
    }

    static void set(boolean pipelined) {
        on = pipelined;
    }
}
