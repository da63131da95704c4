-- Keeps the readers of a run: the requests that share a lock. docs/storage.md describes the keys. Scripts include this file after
-- lib/lock, where they first need it.

-- Returns the keys of the readers of a lock: their ends, and what they show to people. The first ':lock:' in the lock key is the
-- kind.
local function reader_keys(lock)
  local ends = string.gsub(lock, ':lock:', ':readers:', 1)
  local shown = string.gsub(lock, ':lock:', ':reader:', 1)
  return ends, shown
end

-- Lets the lock and the keys of its readers expire when the lease of the last reader ends. Returns the remaining milliseconds.
local function expire_with_last(lock, now)
  local readers, reader = reader_keys(lock)
  local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
  local left = last - math.floor(now / 1000)
  for _, key in ipairs({ lock, readers, reader }) do
    redis.call('PEXPIRE', key, left)
  end
  return left
end

-- Lets the lease of a reader last for at least the given milliseconds from now. It is never shortened. Returns for how many
-- milliseconds the lock is held.
local function read_for(lock, id, now, millis)
  redis.call('ZADD', (reader_keys(lock)), 'GT', digits(math.ceil(now / 1000) + millis), id)
  return expire_with_last(lock, now)
end

-- Returns whether the lease of a reader has not ended. The lock is shared.
local function is_reading(lock, id, now)
  local last = redis.call('ZSCORE', (reader_keys(lock)), id)
  return last and last * 1000 > now
end
