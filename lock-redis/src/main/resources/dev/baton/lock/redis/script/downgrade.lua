-- Ends the grant of a writer, and makes another request of its process the first reader of a run, in one step.
--
-- The script then hands the lock over to the readers that are queued before the first writer. Neither id is ever used again, so the
-- caller may repeat the script or send it late.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       ended, string: the mark that the writer has ended
--       begun, string: the mark that the reader has ended
-- ARGV: id, the writer, which ends
--       mark, milliseconds for which a late acquire of the writer is refused, > 0
--       record, the record of the reader, which docs/storage.md describes. Its lease is not shorter than what the writer has left
-- REPLY: {token, more, next}
--       token, of the run; '' if the writer does not hold the lock, or the reader has ended: then the reader holds nothing
--       more, 1: another command would get further in the queue now; else 0
--       next, the ids of the other requests that were granted the lock
-- EVENT: inbox of a granted waiter that waits for a message, as of every hand-over: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks, which here all do:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, ended, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, mark, record = ARGV[1], ARGV[2], ARGV[3]

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)
local one = readable(record)

local token, more, next_ids = '', false, {}
if holds(turn, lock, id) and redis.call('EXISTS', begun) == 0 then
  one.lease = math.max(one.lease, look(turn, lock).left)
  redis.call('SET', ended, '1', 'PX', mark)
  turn.held[lock] = false
  token = next_token(turn, { lock }, one, 0)
  take(turn, { lock }, one, token)
  local chosen, why = hand_over(turn, name)
  more = why == 'more'
  for i, other in ipairs(chosen) do
    next_ids[i] = other.id
  end
elseif holds(turn, lock, one.id) then
  token = token_of(turn, { lock }, one.id)
  read_for(lock, one.id, turn.now, one.lease)
end
return { token, more and 1 or 0, next_ids }
