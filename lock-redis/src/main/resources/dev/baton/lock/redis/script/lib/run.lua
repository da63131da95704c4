-- Keeps the readers of a run: the requests that share a lock. docs/storage.md describes the keys. Scripts include this file after
-- lib/lock, where they first need it.
--
-- A semaphore is a lock in mode p. Each of its readers has some permits, and the size of the semaphore limits their sum.

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

-- Returns the key of the sizes of a semaphore.
local function size_key(lock)
  return (string.gsub(lock, ':lock:', ':size:', 1))
end

-- States the size of a semaphore for at least the given milliseconds from now.
-- size: a number, or '=' and a number for the size that an operator has set.
local function stand_for(lock, size, now, millis)
  local sizes = size_key(lock)
  redis.call('ZADD', sizes, 'GT', digits(math.ceil(now / 1000) + millis), size)
  local last = redis.call('ZREVRANGE', sizes, 0, 0, 'WITHSCORES')[2]
  redis.call('PEXPIRE', sizes, last - math.floor(now / 1000))
end

-- Returns the size of a semaphore: that of the operator, else the smallest of those that are stated. Returns nil if none is stated.
-- Also returns whether an operator has set it. Removes those that are stated no longer.
local function size_of(lock, now)
  local sizes, set, least = size_key(lock), nil, nil
  local all = redis.call('ZRANGE', sizes, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    local by_operator, size = string.match(all[i], '^(=?)(%d+)$')
    size = tonumber(size)
    if all[i + 1] * 1000 <= now then
      redis.call('ZREM', sizes, all[i])
    elseif by_operator == '=' then
      set = size
    else
      least = math.min(least or size, size)
    end
  end
  return set or least, set ~= nil
end

-- Returns how many permits a reader has, and the size that it states. Returns 0 if it has none.
-- shown: what it shows to people, or false.
local function permits_of(shown)
  local count, size = string.match(shown or '', '^%d+ %d+ [^ ]* [^ ]* (%d+) (%d+)')
  return tonumber(count or 0), size
end

-- Returns how many permits of a semaphore are in use.
local function used_of(lock)
  local _, reader = reader_keys(lock)
  return tonumber(redis.call('HMGET', reader, 'used')[1] or 0)
end

-- Counts permits as used, or, if the number is negative, as free again.
local function use(lock, count)
  local _, reader = reader_keys(lock)
  local used = used_of(lock) + count
  if used > 0 then
    redis.call('HSET', reader, 'used', used)
  else
    redis.call('HDEL', reader, 'used')
  end
end

-- Removes a reader, and counts its permits as free if it has some.
-- mode: that of the lock.
local function forget(lock, mode, id)
  local readers, reader = reader_keys(lock)
  if mode == 'p' then
    use(lock, -permits_of(redis.call('HMGET', reader, id)[1]))
  end
  redis.call('ZREM', readers, id)
  redis.call('HDEL', reader, id)
end

-- Returns whether the lease of a reader has not ended. The lock is shared.
local function is_reading(lock, id, now)
  local last = redis.call('ZSCORE', (reader_keys(lock)), id)
  return last and last * 1000 > now
end
