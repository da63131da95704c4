package dev.baton.lock.interceptor;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Rows of {@link ContradictionTests}: results whose work runs after the method has returned. */
final class ReturnTypeContradictions {

    private ReturnTypeContradictions() {}

    static Stream<Arguments> rows() {
        return Stream.of(
                arguments(
                        Contradictions.ReturnsStream.class,
                        null,
                        "the method returns a java.util.stream.Stream, whose work begins when the method has returned and its"
                                + " lock is released",
                        "Read it under the lock and return a collection"),
                arguments(
                        Contradictions.ReturnsCallable.class,
                        null,
                        "the method returns a java.util.concurrent.Callable, whose work begins when the method has returned"
                                + " and its lock is released",
                        "Put @DistributedLock on the method of another bean that does the work, and call that one from there"),
                arguments(
                        Contradictions.ReturnsDeferredResult.class,
                        null,
                        "the method returns a org.springframework.web.context.request.async.DeferredResult, whose work begins"
                                + " when the method has returned and its lock is released",
                        "Put @DistributedLock on the method of another bean that does the work, and call that one from there"),
                arguments(
                        Contradictions.ReturnsStreamingBody.class,
                        null,
                        "the method returns a type that contains a org.springframework.web.servlet.mvc.method.annotation."
                                + "StreamingResponseBody, whose work begins when the method has returned and its lock is"
                                + " released",
                        "Put @DistributedLock on the method of another bean that does the work, and call that one from there"),
                arguments(
                        Contradictions.ReturnsFutureOfOneWithAFlux.class,
                        null,
                        "the method returns a type that contains a reactor.core.publisher.Flux, and the lock would be released when it"
                                + " returns, before its work is done",
                        "Return it directly, so that the lock is kept until it is done, or return its result; wrap it in a method without a lock"));
    }
}
