-- Ends a request. A holder gives back its locks, and a waiter leaves its queues.
--
-- The script hands a lock that is free afterwards to the first waiter in its queue that can be notified, and to the readers behind it
-- if that is a reader. A reader leaves the other readers of its run. It acts on this request
-- only, so the caller may repeat it or send it late.
--
-- A holder of several locks gives back all of them before one is handed over. The queues of its other locks are not declared as
-- keys, nor are the other locks that a waiter asks for, so requests for several locks cannot run on a cluster. The lists of
-- conditions are not declared either.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       over, string: the mark that the request has ended
--       other_..., string: the other locks of a request for several
-- ARGV: id, the request
--       how, text: mark, milliseconds for which a late acquire of the request is refused; 0: all its acquires were answered;
--         keep, milliseconds for which its locks are kept from other requests, at most the rest of its lease; 0: not at all;
--         then c if the request was never granted its lock, as far as its caller knows, and awaited a condition: if it was signalled,
--         the signal is passed on
--       record, the record of the request, by which its queues know it; '': it cannot be in a queue
-- REPLY: {holder}, if the request was the holder and its lock is free now; else {what, missing, more, next, token}
--       what, one of holder, waiter, nothing: what the request was; it was the holder only if it held all its locks
--       missing, if it held only some of its locks: the positions of the others in its list, counted from 1; else {}
--       more, 1: a lock is free, and the same command would get further in its queue now; else 0
--       next, the ids of the requests that were granted a lock
--       token, the token of the only request in next if that one is a writer of the same process and asks for this lock alone: no
--         message notifies it; else ''
-- EVENT: inbox of any other granted waiter that waits for a message: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- usual case: a holder of one lock without waiters. It comes before the functions that other cases need: each function that a script
-- defines costs time, and so does each Redis call.
local read, first
do
  local lock, queue, fence, another = KEYS[1], KEYS[2], KEYS[4], KEYS[6]
  if not another and ARGV[2] == '0 0' then
    local head = '2 x ' .. ARGV[1] .. ' '
    read = redis.call('MGET', lock, fence)
    if read[1] and string.sub(read[1], 1, #head) == head then
      first = redis.call('ZPOPMIN', queue)
      if not first[1] then
        redis.call('DEL', lock)
        return { 'holder' }
      end
    end
  end
end
-- end of the usual case

-- include lib/lock
-- include lib/grant

-- usual case: a holder of one lock with a waiter that is certain to learn of its grant
if first then
  local next_id, token, _, _, _, own =
    hand_to(first, KEYS[1], KEYS[2], KEYS[3], KEYS[4], read[2], clock(), process_of(ARGV[1]))
  if next_id then
    return { 'holder', {}, 0, { next_id }, own and token or '' }
  end
end
-- end of the usual case

-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, over, other = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], { unpack(KEYS, 6) }
local id, how, record = ARGV[1], ARGV[2], ARGV[3]

local mark, keep, untaken = string.match(how, '^(%d+) (%d+) ?(c?)$')
keep = tonumber(keep)
local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)
local locks = { lock, unpack(other) }
if #other == 0 then
  turn.informed[lock] = process_of(id)
end

-- Leaves all queues, and the list of its condition. Returns whether the request was in one. Passes its signal on if its caller did not
-- take the lock.
local function leave(holds_all)
  local stood = false
  for _, key in ipairs(locks) do
    stood = redis.call('ZREM', place(turn, key).queue, record) == 1 or stood
  end
  if untaken == 'c' then
    local one = readable(record)
    local signalled = stood or holds_all and was_signalled(turn, lock)
    stood = redis.call('ZREM', list_of(name, one.condition).queue, record) + redis.call('ZREM', queue, one.unsignalled) > 0 or stood
    if signalled then
      pass_signal_on(turn, name, one)
    end
  end
  return stood
end

local missing = lacking(turn, locks, id)
local stood = leave(#missing == 0)
local what = 'nothing'
if #missing == 0 then
  what = 'holder'
elseif #missing == #locks then
  missing = {}
  if stood then
    what = 'waiter'
  end
end

if mark ~= '0' then
  redis.call('SET', over, '1', 'PX', mark)
end

-- An empty id belongs to no request, so no request can renew or end the lock.
local function keep_from_others(key, held)
  redis.call('SET', key, grant('2 x  ', held.token, held.since, held.holder), 'KEEPTTL')
  if held.left > keep or held.left == -1 then
    redis.call('PEXPIRE', key, keep)
  end
end

-- The same for one reader of a lock, and for its permits. No request has such an id.
local function keep_from_writers(key)
  local readers, reader = reader_keys(key)
  local ends, shown = redis.call('ZSCORE', readers, id), redis.call('HMGET', reader, id)[1]
  if look(turn, key).mode == 'p' then
    use(key, (permits_of(shown)))
  end
  redis.call('ZADD', readers, math.min(ends, math.ceil(turn.now / 1000) + keep), '-' .. id)
  redis.call('HSET', reader, '-' .. id, shown or '')
  stop_reading(turn, key, id)
end

local given = {}
for _, key in ipairs(locks) do
  local held = look(turn, key)
  if holds(turn, key, id) then
    if is_shared(turn, key) and keep > 0 then
      keep_from_writers(key)
    elseif is_shared(turn, key) then
      stop_reading(turn, key, id)
    elseif keep > 0 then
      keep_from_others(key, held)
    else
      turn.held[key] = false
    end
    if not look(turn, key) then
      given[#given + 1] = key
    end
  end
end

local more, next_ids, token = false, {}, ''
for _, key in ipairs(locks) do
  if is_open(turn, key) and redis.call('EXISTS', place(turn, key).queue) == 1 then
    local chosen, why = hand_over(turn, place(turn, key))
    for _, one in ipairs(chosen) do
      next_ids[#next_ids + 1] = one.id
      token = is_informed(turn, place(turn, key), one) and one.token or ''
    end
    more = more or why == 'more'
  end
end
for _, key in ipairs(given) do
  if not look(turn, key) then
    redis.call('DEL', key)
  end
end
return { what, missing, more and 1 or 0, next_ids, token }
