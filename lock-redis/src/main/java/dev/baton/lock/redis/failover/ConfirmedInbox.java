package dev.baton.lock.redis.failover;

import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand.Renewal;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes a grant on when it is confirmed. A grant that is not confirmed in time is doubtful: its request asks the store
 * again.
 */
public final class ConfirmedInbox implements GrantInbox {

    private static final Logger log = LoggerFactory.getLogger(ConfirmedInbox.class);

    /** How long a confirmation is awaited. Then the request asks again, which may take the time of a command. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final GrantInbox inbox;
    private final GrantConfirmation confirmation;
    private final StoreThreads threads;

    /**
     * Creates an inbox in front of another one.
     *
     * @param threads ask for confirmations, because the thread of a subscription must not
     */
    public ConfirmedInbox(GrantInbox inbox, GrantConfirmation confirmation, StoreThreads threads) {
        this.inbox = inbox;
        this.confirmation = confirmation;
        this.threads = threads;
    }

    private void confirm(List<LockName> names, String id, Runnable granted) {
        try {
            threads.after(1, () -> ask(names, id, granted));
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; a grant of {} is not confirmed", names);
        }
    }

    private void ask(List<LockName> names, String id, Runnable granted) {
        confirmation.confirm(List.of(new Renewal(names, id, 0)), TIMEOUT_NANOS).whenComplete((done, failure) -> {
            if (failure == null) {
                granted.run();
            } else {
                log.debug("A grant of {} was not confirmed", names, failure);
                inbox.doubtful(names, id);
            }
        });
    }

    @Override
    public void granted(List<LockName> names, String id, long token) {
        confirm(names, id, () -> inbox.granted(names, id, token));
    }

    @Override
    public void granted(List<LockName> names, String id, long token, long number) {
        confirm(names, id, () -> inbox.granted(names, id, token, number));
    }

    @Override
    public void handedOver(List<LockName> names, String id, long token, long sentAt) {
        confirm(names, id, () -> inbox.handedOver(names, id, token, sentAt));
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        inbox.revoked(names, id, token);
    }

    @Override
    public void wanted(LockName name, String id) {
        inbox.wanted(name, id);
    }

    @Override
    public void doubtful(List<LockName> names, String id) {
        inbox.doubtful(names, id);
    }

    @Override
    public void answerLost(LockName name) {
        inbox.answerLost(name);
    }

    @Override
    public void listening() {
        inbox.listening();
    }

    @Override
    public void freed(LockName name) {
        inbox.freed(name);
    }
}
