package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A waiter that asked before the subscription stood, and is answered after it. */
class LateSubscriptionTests {

    private final Scene scene = new Scene(Backend.LETTUCE);

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    @Test
    void waiterThatIsAnsweredLateAsksAgainAtOnceAndIsTold() throws Exception {
        Lease lease = scene.actor(Scene.NEVER).acquire();
        Scene.Actor late = scene.actor(Scene.NEVER);
        late.store.subscriptionIsLate();
        late.store.acquires.hold();
        Future<Lease> waiter = late.waits();
        ScriptedStore.Parcel<AcquireCommand, AcquireReply> untold = late.store.acquires.next();
        assertThat(kind(untold)).isEqualTo(AcquireCommand.Kind.POLL);
        AcquireReply busy = untold.carryOut();
        late.store.subscriptionStands();
        late.settle();
        untold.answer(busy);
        // without that, after half of its lease
        ScriptedStore.Parcel<AcquireCommand, AcquireReply> told = late.store.acquires.next();
        assertThat(kind(told)).isEqualTo(AcquireCommand.Kind.MESSAGE);
        told.pass();
        assertThat(lease.release()).isTrue();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
    }

    private static AcquireCommand.Kind kind(ScriptedStore.Parcel<AcquireCommand, AcquireReply> parcel) {
        return parcel.command.requests().get(0).kind();
    }
}
