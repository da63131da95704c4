-- Sets the size of a semaphore for some time, whatever its processes state, and grants permits that are free then.
--
-- No permits are taken back if the size becomes smaller.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
-- ARGV: size, how many permits may be in use, >= 0
--       duration, milliseconds; 0: the size is that which the processes state
-- REPLY: {size, used}
--       size, of the semaphore now; '': no process states one
--       used, how many permits are in use now
-- EVENT: inbox of a granted waiter that waits for a message: grant 1 <id> <token> <lock key>; as of every hand-over, for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local size, duration = ARGV[1], tonumber(ARGV[2])

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)

local sizes = size_key(lock)
for _, stated in ipairs(redis.call('ZRANGE', sizes, 0, -1)) do
  if string.sub(stated, 1, 1) == '=' then
    redis.call('ZREM', sizes, stated)
  end
end
if duration > 0 then
  stand_for(lock, '=' .. size, turn.now, duration)
end

hand_over(turn, name)
return { size_of(lock, turn.now) or '', look(turn, lock) and used_of(lock) or 0 }
