-- Ends one request of a process, and acquires the lock for another of its requests, behind all waiters.
--
-- This is release and acquire in one step. The script hands a lock that becomes free to the first waiter in the queue, in which the
-- new request is last. There is exactly one new request, and both are writers. Neither id is ever used again, so the caller may
-- repeat the script or send it late.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       ended, string: the mark that the old request has ended
--       begun, string: the mark that the new request has ended
-- ARGV: id, the old request, which ends
--       mark, milliseconds for which a late acquire of the old request is refused; 0: all its acquires were answered
--       record, the record of the old request, by which the queue knows it; '': it cannot be in the queue
--       process, text: recheck, milliseconds, > 0; inbox, the channel of the process
--       request, the new request: its kind, one of m (waits, and is notified through the inbox), p (waits, and asks again); directly
--         after it the record of the request, which docs/storage.md describes
-- REPLY: {what, more, highest, holder, answer, deaf, next}
--       what, one of holder, waiter, nothing: what the old request was
--       more, 1: the lock is free, and another command would get further in its queue now; else 0
--       highest, the highest token that was given or kept so far; 0: none
--       holder, {} if the lock is not held or the new request holds it, else {its text, the time in us, remaining ms; -1: no expiry}
--       answer, of the new request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}
--       deaf, 1: the new request waits, and the inbox has no subscriber; else 0. Not checked again for a quarter of a recheck
--       next, the ids of the requests that were granted the lock
-- EVENT: inbox of a granted waiter that waits for a message and is not the new request: grant 1 <id> <token> <lock key>; for
--          several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant

-- usual case: a holder, without waiters or with a waiter that is certain to learn of its grant. The new request is notified through
-- the inbox, so joining the queue does not change how a waiter of the same process is notified.
do
  local lock, queue, wait, fence, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
  local kind, record = string.sub(ARGV[5], 1, 1), string.sub(ARGV[5], 2)
  local head, id, lease, _, reserve, holder = parse(record)
  if kind == 'm' and ARGV[2] == '0' then
    local read = redis.call('MGET', lock, fence, begun)
    if held_by(read[1], '2 x ' .. ARGV[1] .. ' ') and not read[3] then
      local now = clock()
      local first = redis.call('ZPOPMIN', queue)
      if not first[1] then
        local number, last = next_number(read[2], now, tonumber(reserve))
        local token, kept = digits(number), digits(last)
        redis.call('SET', fence, kept)
        redis.call('SET', lock, grant(head, token, now, holder), 'PX', lease)
        return { 'holder', 0, kept, {}, { 'granted', token, 0 }, 0, { id } }
      end
      if first[1] ~= record then
        local next_id, _, text, next_lease, kept = hand_to(first, lock, queue, wait, fence, read[2], now, nil)
        if next_id then
          local ids = process_of(id)
          local field = known(wait, ids)
          local _, empty = stand(queue, record, field[1], math.max(now, first[2] + 1))
          local deaf = hear(queue, wait, field, ids, process_from(ARGV[4], kind), now, empty)
          return { 'holder', 0, kept, { text, now, tonumber(next_lease) }, { 'busy' }, deaf and 1 or 0, { next_id } }
        end
      else
        put_back(queue, wait, first)
      end
    end
  end
end
-- end of the usual case

-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, ended, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, mark, record, process, request = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local one = readable(string.sub(request, 2))
local sender = process_from(process, string.sub(request, 1, 1))

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)

-- Returns whether a request holds the lock alone. Readers do not exchange it.
local function writes(request_id)
  local held = look(turn, lock)
  return held and held_by(held.text, '2 x ' .. request_id .. ' ')
end

local was_holder = writes(id)
local stood = redis.call('ZREM', queue, record) == 1
local what = 'nothing'
if was_holder then
  what = 'holder'
  turn.held[lock] = false
elseif stood then
  what = 'waiter'
end
if mark ~= '0' then
  redis.call('SET', ended, '1', 'PX', mark)
end

local answer, deaf, next_ids = { 'busy' }, false, {}
local held = look(turn, lock)
if redis.call('EXISTS', begun) == 1 then
  answer = { 'over' }
elseif writes(one.id) then
  answer = { 'granted', held.token, 1 }
  if held.left < tonumber(one.lease) then
    redis.call('PEXPIRE', lock, one.lease)
  end
elseif not held and redis.call('EXISTS', queue) == 0 then
  local token = reserve_token(turn, one.reserve)
  take(turn, { lock }, one, token)
  next_ids[1] = one.id
  answer = { 'granted', token, 0 }
else
  turn.mine[one.id] = one
  deaf = join(turn, { name }, { one }, sender)
end

local more = false
if is_open(turn, lock) and redis.call('EXISTS', queue) == 1 then
  local chosen, why = hand_over(turn, name)
  more = why == 'more'
  for i, other in ipairs(chosen) do
    next_ids[i] = other.id
    if turn.mine[other.id] then
      answer = { 'granted', other.token, 0 }
    end
  end
end
if what == 'holder' and not look(turn, lock) then
  redis.call('DEL', lock)
end

local holder = {}
if look(turn, lock) and answer[1] ~= 'granted' then
  holder = seen(turn, lock)
end
return { what, more and 1 or 0, redis.call('GET', fence) or '0', holder, answer, deaf and 1 or 0, next_ids }
