package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.ClassPathWithout;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.LockedContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class WithoutReactorTests {

    @Test
    void stagesAreLockedWithoutReactor() throws Exception {
        ClassPathWithout.run(Check.class, "reactor.", "org.reactivestreams.");
    }

    /** Loaded in a class path without Reactor. */
    public static class Check implements Runnable {

        @Override
        public void run() {
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> Class.forName("org.reactivestreams.Publisher"));
            try (AnnotationConfigApplicationContext context = LockedContext.start(Service.class)) {
                CompletableFuture<String> result =
                        context.getBean(Service.class).close();
                assertThat(result).isCompletedWithValue("closed");
                assertThat(context.getBean(Journal.class).entries())
                        .containsExactly("acquire orders.global", "close", "release orders.global");
            }
            assertThat(LockedContext.failure(FlowService.class).problem())
                    .contains("java.util.concurrent.Flow$Publisher");
        }
    }

    public static class Service {

        private final Journal journal;

        public Service(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock("orders")
        public CompletableFuture<String> close() {
            journal.add("close");
            return CompletableFuture.completedFuture("closed");
        }
    }

    public static class FlowService {
        @DistributedLock("orders")
        public Flow.@Nullable Publisher<String> close() {
            return null;
        }
    }
}
