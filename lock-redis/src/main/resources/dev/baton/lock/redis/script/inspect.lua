-- Reads the holder and the waiters of a lock.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
-- ARGV: most, how many waiters to name, >= 0
-- REPLY: {holder, waiting, waiters}
--       holder, {} if the lock is free, else {id, token, owner, label, held ms, remaining ms; -1: no expiry}
--       waiting, how many requests are in the queue
--       waiters, one per named waiter, in the order of the queue: {owner, label, waited ms}
-- EVENT: none

-- include tokens
-- include waiter
-- include hand_over

local lock, queue, wait = KEYS[1], KEYS[2], KEYS[3]
local most = tonumber(ARGV[1])

local now = clock()

local function since(time)
  return math.max(0, math.floor((now - time) / 1000))
end

local held = read_lock(lock)
local holder = {}
if held then
  holder = { held.id, held.token, held.owner, held.label, since(held.since), held.left }
end

local waiters = {}
if most > 0 then
  local arrived = redis.call('ZRANGE', queue, 0, most - 1, 'WITHSCORES')
  for i = 1, #arrived, 2 do
    local waiter = readable(redis.call('HGET', wait, arrived[i]))
    if waiter then
      waiters[#waiters + 1] = { waiter.owner, waiter.label, since(tonumber(arrived[i + 1])) }
    end
  end
end
return { holder, redis.call('ZCARD', queue), waiters }
