package dev.baton.compatibility;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import java.util.Optional;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

/** Numbers that are read, raised and written back: without the lock, two would get the same. */
@Service
class Tickets {

    private final StringRedisTemplate redis;

    Tickets(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @DistributedLock(scope = "tickets", key = "#show.id", expire = 10)
    public Ticket next(Show show) {
        return draw(show);
    }

    @DistributedLock(scope = "tickets", key = "#show", waitTimeString = "2s", onTimeout = "queueTooLong")
    public String nextSoon(Show show) {
        return "number " + draw(show).number();
    }

    @SuppressWarnings("unused") // it is called by its name
    private String queueTooLong(Show show, LockTimeoutException ex) {
        return "busy: " + show.id() + ", " + ex.name();
    }

    @DistributedLock(scope = "tickets", key = "#show.id", waitTime = 0, whenBusy = WhenBusy.SKIP)
    public Optional<Ticket> nextNow(Show show) {
        return Optional.of(draw(show));
    }

    private Ticket draw(Show show) {
        String last = redis.opsForValue().get(show.counter());
        long number = last == null ? 1 : Long.parseLong(last) + 1;
        redis.opsForValue().set(show.counter(), Long.toString(number));
        return new Ticket(number, LockContext.currentLease().contended());
    }

    /**
     * What tickets are for.
     *
     * @param id names the lock, as an expression and as the id of a record
     */
    record Show(String id) {

        String counter() {
            return "sold:" + id;
        }
    }

    /**
     * A place in the row.
     *
     * @param number from 1, one more than that of the ticket before
     * @param contended whether it had to be waited for
     */
    record Ticket(long number, boolean contended) {}
}
