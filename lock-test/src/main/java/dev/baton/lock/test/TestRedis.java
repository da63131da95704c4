package dev.baton.lock.test;

import java.util.List;

/**
 * A real redis-server on a free loopback port that belongs to the test which started it and ends with it, at the latest with
 * the JVM. It keeps nothing on disk.
 *
 * <p>The binary is the one that the system property {@code redis.server} names, else the one that the library
 * {@code embedded-redis} brings for this platform. {@link #pause()} and {@link #resume()} need a POSIX system.
 *
 * <p>Its address is always loopback, and its port stays the same after {@link #restart()}. Starting and ending are for one
 * thread at a time.
 */
public final class TestRedis extends RedisView implements AutoCloseable {

    private final List<String> settings;
    private volatile RedisProcess process;

    private TestRedis(List<String> settings, RedisProcess process) {
        super(Loopback.HOST, process.port());
        this.settings = settings;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param settings lines of {@code redis.conf}, for example {@code "maxclients 100"}; they come after our own
     * @throws IllegalStateException if the server ends or does not answer; the message has its output
     */
    public static TestRedis start(String... settings) {
        List<String> lines = List.of(settings);
        return new TestRedis(lines, RedisProcess.startOnFreePort(lines));
    }

    /**
     * The one server of this JVM for tests that keep to a namespace of their own: started at the first call, ended with the JVM.
     * Do not stop, pause, flush or configure it, and do not count its commands.
     */
    public static TestRedis shared() {
        return Shared.REDIS;
    }

    /** The process id of the server; a new one after {@link #restart()}. */
    public long pid() {
        return process.pid();
    }

    /** What the present run of the server has written to its log. */
    public String output() {
        return process.output();
    }

    /** Ends the server by SIGKILL, also a paused one, with all its data; does nothing if it has ended. */
    public void stop() {
        process.kill();
    }

    /** Ends the server if it runs and starts it again on the same port: empty, with the same settings. */
    public void restart() {
        stop();
        process = RedisProcess.start(port(), settings);
    }

    /** Freezes the server by SIGSTOP: it accepts connections and answers nothing until {@link #resume()}. */
    public void pause() {
        process.pause();
    }

    /** Lets a paused server go on; it does then what it was asked meanwhile. */
    public void resume() {
        process.resume();
    }

    /** Ends the server; the same as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return "redis-server " + pid() + " at " + host() + ":" + port();
    }

    private static final class Shared {

        static final TestRedis REDIS = start();
    }
}
