-- Reads the holder and the waiters of a lock.
--
-- KEYS: lock, string
--       queue, sorted set
-- ARGV: most, how many waiters to name, >= 0
-- REPLY: {holder, waiting, waiters, now}
--       holder, {} if the lock is free, else {its text, the time in us, remaining ms; -1: no expiry}
--       waiting, how many requests are in the queue
--       waiters, two per named waiter, in the order of the queue: its record, and its arrival in us
--       now, the time in us
-- EVENT: none

-- include lib/lock
-- include lib/grant
-- include lib/queue

local lock, queue = KEYS[1], KEYS[2]
local most = tonumber(ARGV[1])

local turn = begin({ lock = lock }, '', '0')
local holder = look(turn, lock) and seen(turn, lock) or {}
local waiters = most > 0 and redis.call('ZRANGE', queue, 0, most - 1, 'WITHSCORES') or {}
return { holder, redis.call('ZCARD', queue), waiters, turn.now }
