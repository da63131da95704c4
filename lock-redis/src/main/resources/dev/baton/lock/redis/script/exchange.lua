-- Ends one request of a process, and acquires the lock for another of its requests, behind all waiters.
--
-- This is end and acquire in one step. The script hands a lock that becomes free to the first waiter in the queue, in which the new
-- request is last. There is exactly one new request. Neither id is ever used again, so the caller may repeat the script or send it
-- late.
--
-- The usual cases of a holder never reach this script: exchange_alone and exchange_to_next answer them first.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
--       ended, string: the mark that the old request has ended
--       begun, string: the mark that the new request has ended
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (it cannot in a cluster)
--       id, the old request, which ends
--       mark, milliseconds for which a late acquire of the old request is refused; 0: all its acquires were answered
--       inbox, channel of the process
--       recheck, milliseconds, > 0
--       request_..., seven per request: id;
--         kind, one of message (waits, and is notified through the inbox), poll (waits, and asks again);
--         lease, milliseconds, > 0; patience, milliseconds for which it still waits, -1: unbounded; owner; label;
--         reserve, how many tokens after its own to keep for its process, >= 0: tokens says when they are kept
-- REPLY: {what, more, highest, holder, answer, deaf, next}
--       what, one of holder, waiter, nothing: what the old request was
--       more, 1: the lock is free, and another command would get further in its queue now; else 0
--       highest, the highest token that was given or kept so far; 0: none
--       holder, {} if the lock is not held or the new request holds it, else
--         {id, token, owner, label, held ms, remaining ms; -1: no expiry}
--       answer, of the new request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}
--       deaf, 1: the new request waits, and the inbox has no subscriber; else 0
--       next, the ids of the requests that were granted the lock
-- EVENT: inbox of a granted waiter that waits for a message and is not the new request: grant 1 <id> <token> <lock key>; for
--          several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; or none

-- include tokens
-- include exchange_alone
-- include waiter
-- include next_waiter
-- include exchange_to_next
-- include hand_over
-- include join

local lock, queue, wait, fence, ended, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local receivers, id, mark, inbox, recheck = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local request = { unpack(ARGV, 6) }

local one = { id = request[1], kind = request[2], lease = request[3], patience = tonumber(request[4]),
  owner = request[5], label = request[6], reserve = request[7] }
local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence, receivers)

local what = 'nothing'
if held_by(look(turn, lock), id) then
  what = 'holder'
  turn.held[lock] = false
elseif redis.call('ZSCORE', queue, id) then
  what = 'waiter'
end
remove(turn, name, { { id = id } })
if mark ~= '0' then
  redis.call('SET', ended, '1', 'PX', mark)
end

local answer, deaf, next_ids = { 'busy' }, false, {}
if redis.call('EXISTS', begun) == 1 then
  answer = { 'over' }
elseif held_by(look(turn, lock), one.id) then
  answer = { 'granted', look(turn, lock).token, 1 }
  if look(turn, lock).left < tonumber(one.lease) then
    redis.call('PEXPIRE', lock, one.lease)
  end
elseif not look(turn, lock) and redis.call('EXISTS', queue) == 0 then
  local token = next_token(turn, one)
  take(turn, { lock }, one.id, one, token)
  next_ids[1] = one.id
  answer = { 'granted', token, 0 }
else
  turn.mine[one.id] = one
  deaf = join(turn, { name }, { one }, { inbox = inbox, recheck = recheck })
end

local more = false
if not look(turn, lock) and redis.call('EXISTS', queue) == 1 then
  local chosen, why = hand_over(turn, name)
  more = why == 'more'
  next_ids[1] = chosen and chosen.id
  if chosen and turn.mine[chosen.id] then
    answer = { 'granted', chosen.token, 0 }
  end
end
local held = look(turn, lock)
if what == 'holder' and not held then
  redis.call('DEL', lock)
end

local holder = {}
if held and answer[1] ~= 'granted' then
  holder = { held.id, held.token, held.owner, held.label, math.floor((turn.now - held.since) / 1000), held.left }
end
return { what, more and 1 or 0, redis.call('GET', fence) or '0', holder, answer, deaf and 1 or 0, next_ids }
