-- Ends the grant of a holder, and lets another request of its process await a condition of the lock, in one step.
--
-- The script then hands the lock over as a release does. Neither id is ever used again, so the caller may repeat the script or send it
-- late. The list of the condition is not declared as a key.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       ended, string: the mark that the holder has ended
--       begun, string: the mark that the new request has ended
-- ARGV: id, the holder, which ends
--       mark, milliseconds for which a late acquire of the holder is refused, > 0
--       process, text: recheck, milliseconds, > 0; inbox, the channel of the process
--       request, the new request: its kind, one of m (is notified through the inbox), p (asks again); directly after it the record of the
--         request, which docs/storage.md describes
-- REPLY: {what, more, highest, deaf, next}
--       what, one of awaits, nothing: awaits if the holder has ended, now or before, and the new request awaits the condition or has
--         been signalled; nothing if the old request did not hold the lock, or the new request has ended: then nothing was changed
--       more, 1: the lock is free, and another command would get further in its queue now; else 0
--       highest, the highest token that was given or kept so far; 0: none
--       deaf, 1: the inbox has no subscriber; else 0. Not checked again for a quarter of a recheck
--       next, the ids of the requests that were granted the lock
-- EVENT: inbox of a granted waiter that waits for a message: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, ended, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, mark, process, request = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local one = readable(string.sub(request, 2))
local sender = process_from(process, string.sub(request, 1, 1))

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)
local list = list_of(name, one.condition)

-- Returns whether the new request has come before.
local function has_come()
  return holds(turn, lock, one.id) or redis.call('ZSCORE', list.queue, one.record) or redis.call('ZSCORE', queue, one.record)
    or redis.call('ZSCORE', queue, one.unsignalled)
end

local what = 'nothing'
local more, deaf, next_ids = false, false, {}
if redis.call('EXISTS', begun) == 0 and not is_shared(turn, lock) and holds(turn, lock, id) then
  what = 'awaits'
  stand(list.queue, one.record, false, turn.now)
  deaf = hear_in_lists(turn, name, { list }, process_of(one.id), sender)
  redis.call('SET', ended, '1', 'PX', mark)
  turn.held[lock] = false
  local chosen, why = hand_over(turn, name)
  more = why == 'more'
  for i, other in ipairs(chosen) do
    next_ids[i] = other.id
  end
  if not look(turn, lock) then
    redis.call('DEL', lock)
  end
elseif has_come() then
  what = 'awaits'
end
return { what, more and 1 or 0, redis.call('GET', fence) or '0', deaf and 1 or 0, next_ids }
