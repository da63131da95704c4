package dev.baton.lock.support;

/** Where the engine reads the time. Decisions rest on the monotonic clock alone. */
interface TimeSource {

    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };

    long nanoTime();

    /** Of use only to notice that the machine slept, and as a hint for people. */
    long wallMillis();
}
