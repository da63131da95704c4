package dev.baton.sample.fleet;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Describes to a client why its lock was not granted. */
@RestControllerAdvice
class LockProblems {

    /** The lock has another holder: the client may try again. */
    @ExceptionHandler
    ProblemDetail busy(LockTimeoutException ex) {
        return busy(ex.name(), ex.waited(), ex.holder().orElse(null));
    }

    /** Redis could not be asked: nothing is known of the lock, and nothing was done. */
    @ExceptionHandler
    ProblemDetail unknown(LockStoreException ex) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
        problem.setTitle("Lock unknown");
        problem.setProperty("lock", ex.name());
        return problem;
    }

    /** A value that cannot name a lock, or an amount that cannot be transferred. */
    @ExceptionHandler
    ProblemDetail refused(IllegalArgumentException ex) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
    }

    static ProblemDetail busy(String lock, Duration waited, @Nullable LockHolder holder) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.CONFLICT, holder == null ? "kept for other waiters" : "held by " + holder);
        problem.setTitle("Lock busy");
        problem.setProperty("lock", lock);
        problem.setProperty("waitedMillis", waited.toMillis());
        if (holder != null) {
            problem.setProperty("holder", holder.label());
            problem.setProperty("remainingMillis", holder.remaining().toMillis());
        }
        return problem;
    }
}
