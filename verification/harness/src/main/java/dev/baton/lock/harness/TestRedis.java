package dev.baton.lock.harness;

import java.util.List;

/**
 * A real redis-server on a free loopback port. The server belongs to the test that started it and ends with
 * {@link #close()}, at the latest with the JVM. It keeps nothing on disk.
 *
 * <p>The system property {@code redis.server} names the binary. If the property is empty, the binary is the one that
 * the library {@code embedded-redis} provides for this platform. {@link #pause()} and {@link #resume()} need a POSIX
 * system.
 *
 * <p>The address is always loopback, and the port stays the same after {@link #restart()}. Only one thread at a time
 * may start or end the server.
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
     * @param settings lines of {@code redis.conf}, for example {@code "maxclients 100"}; they follow the fixed settings
     * @throws IllegalStateException if the server ends or does not answer; the message has its output
     */
    public static TestRedis start(String... settings) {
        List<String> lines = List.of(settings);
        return new TestRedis(lines, RedisProcess.startOnFreePort(lines));
    }

    /**
     * Returns the shared server of this JVM, for tests that keep to a namespace of their own. The first call starts the
     * server, which ends with the JVM. Do not stop, pause, flush or configure the server, and do not count its
     * commands.
     */
    public static TestRedis shared() {
        return Shared.REDIS;
    }

    /** Returns the process id of the server, which changes with {@link #restart()}. */
    public long pid() {
        return process.pid();
    }

    /** Returns the log of the present run of the server. */
    public String output() {
        return process.output();
    }

    /** Ends the server by SIGKILL, even if paused, and loses all its data. Does nothing if the server has ended. */
    public void stop() {
        process.kill();
    }

    /** Ends the server if it runs, and starts it again on the same port: empty, with the same settings. */
    public void restart() {
        stop();
        process = RedisProcess.start(port(), settings);
    }

    /** Freezes the server by SIGSTOP: the server accepts connections but answers nothing until {@link #resume()}. */
    public void pause() {
        process.pause();
    }

    /** Lets a paused server continue; the server then executes the commands that it received meanwhile. */
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
