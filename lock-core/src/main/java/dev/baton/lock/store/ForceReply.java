package dev.baton.lock.store;

import dev.baton.lock.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * Reply to a force-release.
 *
 * @param holder the holder from which the lock was taken, or {@code null} if there was none
 */
public record ForceReply(@Nullable LockHolder holder) {}
