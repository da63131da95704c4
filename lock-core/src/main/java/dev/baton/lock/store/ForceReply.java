package dev.baton.lock.store;

import dev.baton.lock.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * From whom a lock was taken.
 *
 * @param holder who held it; null if nobody did
 */
public record ForceReply(@Nullable LockHolder holder) {}
