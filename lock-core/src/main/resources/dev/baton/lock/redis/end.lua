-- Ends a request, whatever it is: gives back the lock if it holds it, leaves the queue if it waits.
--
-- A lock that is free afterwards is handed to the first in the queue who can be told. Acts on this request only, so it may
-- be repeated, and late.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
--       over, string: the mark that the request has ended
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (not in a cluster)
--       id, the request
--       mark, milliseconds for which a late acquire of it is refused; 0: none of its acquires is unanswered
-- REPLY: {what, more}
--       what, one of holder, waiter, nothing: what the request was
--       more, 1: the lock is free and the same command would come further in the queue now; else 0
-- EVENT: inbox of the waiter who is granted the lock: grant 1 <id> <token> <lock key>; or none

local lock, queue, wait, fence, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local receivers, id, mark = ARGV[1], ARGV[2], ARGV[3]

local keys = { lock = lock, queue = queue, wait = wait, fence = fence }

local now = clock()
local held = read_lock(lock)
local what = 'nothing'
if held_by(held, id) then
  what = 'holder'
  held = nil
elseif redis.call('ZSCORE', queue, id) then
  what = 'waiter'
end

local chosen, gone, more = nil, {}, false
if fits(held) and redis.call('EXISTS', queue) == 1 then
  chosen, gone, more = choose(keys, now, receivers, {}, id)
end

if mark ~= '0' then
  redis.call('SET', over, '1', 'PX', mark)
end
gone[#gone + 1] = id
if chosen then
  gone[#gone + 1] = chosen.id
end
remove(keys, gone)
if chosen then
  take(keys, chosen.id, chosen.waiter, chosen.token, now)
elseif what == 'holder' then
  redis.call('DEL', lock)
end
return { what, more and 1 or 0 }
