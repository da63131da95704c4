-- Reads the holder or the readers, and the waiters of a lock.
--
-- KEYS: lock, string
--       queue, sorted set
-- ARGV: most, how many waiters to name, >= 0
-- REPLY: {holder, waiting, waiters, now, readers, size, used}
--       holder, {} if the lock is free, else {its text, the time in us, remaining ms; -1: no expiry}; of several readers, the one
--         whose lease ends last
--       waiting, how many requests are in the queue
--       waiters, two per named waiter, in the order of the queue: its record, and its arrival in us
--       now, the time in us
--       readers, two per reader of a shared lock, in the order in which their leases end: its text as that of a holder, and its
--         remaining ms
--       size, of a semaphore; '': no process states one, or it is a lock
--       used, how many permits of a semaphore are in use; of a lock 0
-- EVENT: none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue = KEYS[1], KEYS[2]
local most = tonumber(ARGV[1])

local turn = begin({ lock = lock }, '', '0')
local holder = look(turn, lock) and seen(turn, lock) or {}
local waiters = most > 0 and redis.call('ZRANGE', queue, 0, most - 1, 'WITHSCORES') or {}
local readers = {}
if is_shared(turn, lock) then
  local ends, shown = reader_keys(lock)
  local all = redis.call('ZRANGE', ends, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    local text = redis.call('HMGET', shown, all[i])[1]
    if text then
      readers[#readers + 1] = '2 ' .. look(turn, lock).mode .. ' ' .. all[i] .. ' ' .. text
      readers[#readers + 1] = all[i + 1] - math.floor(turn.now / 1000)
    end
  end
end
local used = look(turn, lock) and used_of(lock) or 0
return { holder, redis.call('ZCARD', queue), waiters, turn.now, readers, size_of(lock, turn.now) or '', used }
