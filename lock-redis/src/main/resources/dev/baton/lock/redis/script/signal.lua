-- Signals requests that await a condition of a lock: moves them to the end of its queue.
--
-- They are moved in the order in which they came. Requests that cannot be notified just now are moved only if there are too few others.
-- If the lock is free afterwards, the script hands it over. The list of the condition is not declared as a key.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
-- ARGV: id, the request that has to hold the lock alone; '': none has to
--       condition, its name
--       most, how many requests to signal, > 0
--       owner, the only owner whose requests are signalled, as in a record; '': any
-- REPLY: {what, moved}
--       what, one of signalled, nothing: nothing if the request does not hold the lock
--       moved, how many requests were moved
-- EVENT: inbox of a granted waiter that waits for a message: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, condition, most, owner = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)

local what = 'nothing'
local moved = 0
if id == '' or holds(turn, lock, id) and not is_shared(turn, lock) then
  what = 'signalled'
  moved = signal(turn, name, condition, most, owner)
  if not look(turn, lock) and moved > 0 then
    hand_over(turn, name)
  end
end
return { what, moved }
