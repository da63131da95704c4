-- Grants the lock to the first of the given requests of one process, or queues those that may wait.
--
-- A waiting request repeats this command once per recheck, which also says that its process is alive. A repeat keeps its place in
-- the queue. If the lock is free although requests are queued, the script hands it to the first of them. A lock that readers share is
-- handed to the readers before the first writer. The record of a request says which locks it shares.
--
-- A single request may ask for several locks. It is granted all of them or none. While it waits, it holds none of them and has a
-- place in the queue of each. The queues of its other locks are not declared as keys, so such a request cannot run on a cluster. The
-- keys of the readers of a lock, and the lists of its conditions, are not declared either.
--
-- A request that awaits a condition stays in the list of that condition until it is signalled or asks for its lock. If it is neither in
-- the list nor in the queue, the list was lost, and perhaps a signal with it: the request then joins the queue as if it had asked.
--
-- The requests may ask for permits of a semaphore, which is the lock. Their records say how many, and which size their process states.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       over_..., string: one per request, the mark that the request has ended; if a single request asks for several locks, its
--         mark is followed by its other locks, each a string
-- ARGV: process, text: recheck, milliseconds, > 0; inbox, the channel of the process
--       request_..., one per request: its kind, one of t (does not wait), m (waits, and is notified through the inbox), p (waits,
--         and asks again), c (awaits its condition, else as m), d (awaits its condition, else as p), and directly after it the record
--         of the request, which docs/storage.md describes
-- REPLY: {token}, if a single request for one lock was granted the lock at once; else {more, mark, holder, answers, deaf, fresh}
--       more, 1: a lock is free, and the same command would get further in its queue now; else 0
--       mark, the highest token that was given or kept so far; 0: none
--       holder, {} if no lock is held or the only request holds them, else the first lock that is held:
--         {its text, the time in us, remaining ms; -1: no expiry}
--       answers, one per request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}. That of a request with a
--         condition has one more part, unless it is over: awaits, signalled, or asks: it is in its list no more, without a signal. A busy
--         answer about permits also has the size of the semaphore
--       deaf, 1: some of the requests wait, and the inbox has no subscriber; else 0. Not checked again for a quarter of a recheck
--       fresh, 1: some of the requests wait, and have a new place in the queue; else 0
-- EVENT: inbox of a granted waiter that waits for a message and is none of these requests: grant 1 <id> <token> <lock key>; for
--          several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none. The number is that of the grant, and the token of a reader
--          that of its run

-- include lib/lock

-- usual case: one request for one lock, which is free and has no waiters. It comes before the functions that other cases need: each
-- function that a script defines costs time, and so does each Redis call.
local head, lease, holder, read
do
  local lock, queue, fence, over, another = KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6]
  if not another then
    head, lease, holder = string.match(ARGV[2], '^%a(2 x [^ ]* )([1-9]%d*) %-?%d+ %d+ ([^ ]* [^ ]*)$')
  end
  if head then
    read = redis.call('MGET', lock, fence, over)
    if not read[1] and not read[3] and redis.call('EXISTS', lock, queue) == 0 then
      local now = clock()
      local token = digits((next_number(read[2], now, 0)))
      redis.call('SET', fence, token)
      redis.call('SET', lock, grant(head, token, now, holder), 'PX', lease)
      return { token }
    end
  end
end
-- end of the usual case

-- include lib/grant

-- usual case: one request for one lock, which another request holds
if read and read[1] and not read[3] and string.sub(read[1], 1, 4) == '2 x ' and not held_by(read[1], head) then
  local lock, queue, wait = KEYS[1], KEYS[2], KEYS[3]
  local kind, record = string.sub(ARGV[2], 1, 1), string.sub(ARGV[2], 2)
  local now = clock()
  local deaf, fresh = false, false
  if kind ~= 't' then
    local ids, empty = process_of(string.sub(head, 5, -2)), nil
    local field = known(wait, ids)
    fresh, empty = stand(queue, record, field[1], now)
    deaf = hear(queue, wait, field, ids, process_from(ARGV[1], kind), now, empty)
  end
  return { 0, read[2] or '0', { read[1], now, redis.call('PTTL', lock) }, { { 'busy' } }, deaf and 1 or 0, fresh and 1 or 0 }
end
-- end of the usual case

-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], { unpack(KEYS, 5) }
local process, request = ARGV[1], { unpack(ARGV, 2) }

local number = #request
local turn = begin({ lock = lock, queue = queue, wait = wait }, fence)
local any_over = redis.call('EXISTS', unpack(over, 1, number)) > 0

local locks = { lock, unpack(over, number + 1) }
local names, queues = {}, {}
for i, key in ipairs(locks) do
  names[i] = place(turn, key)
  queues[i] = names[i].queue
end

-- States the size of the semaphore, until the process would ask again or renew its lease.
local function state(one)
  local least = 3 * process_from(process, one.kind).recheck
  stand_for(lock, digits(one.size), turn.now, math.max(one.lease, least))
end

local function renew(one)
  for _, key in ipairs(locks) do
    -- The caller counts the lease from when it sent this command, so the expiry starts again. It is never shortened.
    if is_shared(turn, key) then
      read_for(key, one.id, turn.now, one.lease)
    elseif look(turn, key).left < tonumber(one.lease) then
      redis.call('PEXPIRE', key, one.lease)
    end
  end
end

-- The lists of the requests that go on awaiting their conditions, and what becomes of each request with a condition, by its place.
local lists, parts = {}, {}

-- Returns what becomes of a request with a condition that does not hold the lock. Takes it out of its list unless it goes on waiting
-- there. A request whose process was forgotten since it came has lost its place.
local function at_condition(one, awaits)
  local list = list_of(names[1], one.condition)
  local came = redis.call('ZSCORE', list.queue, one.record)
  local _, _, born = read_process(known(wait, process_of(one.id))[1])
  if awaits and came and born and tonumber(came) >= born then
    lists[#lists + 1] = list
    return 'awaits'
  end
  redis.call('ZREM', list.queue, one.record)
  if redis.call('ZSCORE', queue, one.record) then
    return 'signalled'
  end
  one.record = one.unsignalled
  one.holder = readable(one.record).holder
  return 'asks'
end

-- Divides the requests: those that have ended, those that already hold the locks, those that await conditions, and those to be served.
local requests, answers, staying = {}, {}, nil
for i = 1, number do
  local kind, record = string.match(request[i], '^(.)(.*)$')
  local one = readable(record)
  one.place, one.kind = i, ({ c = 'm', d = 'p' })[kind] or kind
  answers[i] = { 'busy' }
  local ended = any_over and redis.call('EXISTS', over[i]) == 1
  if one.count and not ended then
    state(one)
  end
  if ended then
    answers[i] = { 'over' }
  elseif #lacking(turn, locks, one.id) == 0 then
    answers[i] = { 'granted', token_of(turn, locks, one.id), 1 }
    parts[i] = one.condition and (was_signalled(turn, lock) and 'signalled' or 'asks')
    renew(one)
  else
    parts[i] = one.condition and at_condition(one, one.kind ~= kind)
    turn.mine[one.id] = one
    if parts[i] == 'awaits' then
      staying = one
    else
      requests[#requests + 1] = one
    end
  end
end

local function waiting()
  local those = {}
  for _, one in ipairs(requests) do
    if one.kind ~= 't' then
      those[#those + 1] = one
    end
  end
  return those
end

-- Grants the locks at once. No tokens are kept for a request that has not waited.
local function grant_at_once(one)
  local token = next_token(turn, locks, one, 0)
  answers[one.place] = { 'granted', token, 0 }
  take(turn, locks, one, token)
end

if #requests > 0 and fits(turn, locks, requests[1]) and redis.call('EXISTS', unpack(queues)) == 0 then
  grant_at_once(table.remove(requests, 1))
end
local deaf, fresh, others = false, false, waiting()
if #others > 0 then
  deaf, fresh = join(turn, names, others, process_from(process, others[1].kind))
end
if staying then
  deaf = hear_in_lists(turn, names[1], lists, process_of(staying.id), process_from(process, staying.kind)) or deaf
end
local more, hindered = false, false
for _, name in ipairs(names) do
  if is_open(turn, name.lock) then
    local chosen, why = hand_over(turn, name)
    for _, one in ipairs(chosen) do
      local own = turn.mine[one.id]
      if own then
        answers[own.place] = { 'granted', one.token, 0 }
        -- A request that awaits may have been passed a signal just now.
        parts[own.place] = parts[own.place] == 'awaits' and 'signalled' or parts[own.place]
      end
    end
    more = more or why == 'more'
    hindered = hindered or why ~= nil
  end
end
local first = requests[1]
-- A try that waited before may have been found in the queue just now.
if first and first.kind == 't' and answers[first.place][1] == 'busy' and not hindered and fits(turn, locks, first) then
  grant_at_once(first)
end

for i, part in pairs(parts) do
  answers[i][#answers[i] + 1] = part
end

for _, one in ipairs(requests) do
  if one.count and answers[one.place][1] == 'busy' then
    answers[one.place][2] = turn.size or one.size
  end
end
local holder = {}
for _, key in ipairs(locks) do
  if look(turn, key) and #holder == 0 and not (number == 1 and answers[1][1] == 'granted') then
    holder = seen(turn, key)
  end
end
return { more and 1 or 0, redis.call('GET', fence) or '0', holder, answers, deaf and 1 or 0, fresh and 1 or 0 }
