-- Takes the lock for the first of some requests of one process, or queues those that may wait.
--
-- Also says "these requests are alive": whoever waits repeats it once per recheck. A repeat keeps its place in the queue.
-- A lock found free although others are queued is handed to the first of them. One request alone may ask for several
-- locks, all or none: it holds none while it waits, and stands in the queue of each. The queues of its other locks are not
-- declared: not for a cluster.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
--       over_..., string: one per request, the mark that it has ended; after that of the only request the other locks that it
--         asks for, each a hash
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (not in a cluster)
--       inbox, channel of the process
--       recheck, milliseconds, > 0
--       pass, milliseconds from its arrival for which a request for several locks may be passed, >= 0
--       request_..., six per request: id;
--         kind, one of try (does not wait), message (waits, told through its inbox), poll (waits, asks);
--         lease, milliseconds, > 0; patience, milliseconds it still waits, -1: unbounded; owner; label
-- REPLY: {more, mark, holder, answers, deaf}
--       more, 1: nobody could be granted yet, but the same command would come further now; else 0
--       mark, highest token given so far
--       holder, {} if no lock is held or the only request holds them, else of the first that is held
--         {id, token, owner, label, held ms, remaining ms; -1: without end}
--       answers, one per request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}
--       deaf, 1: some wait and nobody subscribes to the inbox; else 0
-- EVENT: inbox of a waiter of another process: grant 1 <id> <token> <lock key>; of one for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; or none

local lock, queue, wait, fence, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], { unpack(KEYS, 5) }
local receivers, inbox, recheck, pass = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local request = { unpack(ARGV, 5) }

local turn = begin({ lock = lock, queue = queue, wait = wait }, fence, receivers)
local now = turn.now
local number = #request / 6
local any_over = redis.call('EXISTS', unpack(over, 1, number)) > 0

local locks = { lock, unpack(over, number + 1) }
local names, queues = {}, {}
for i, key in ipairs(locks) do
  names[i] = place(turn, key)
  queues[i] = names[i].queue
end

local function renew(one)
  for _, key in ipairs(locks) do
    -- set anew, never shorter: the caller counts the lease from when it sent this command
    if look(turn, key).left < tonumber(one.lease) then
      redis.call('PEXPIRE', key, one.lease)
    end
  end
end

-- Sorts the requests out: ended, holder already, or still to be served.
local requests, answers = {}, {}
for i = 1, number do
  local at = (i - 1) * 6
  local one = { place = i, id = request[at + 1], kind = request[at + 2], lease = request[at + 3],
    patience = tonumber(request[at + 4]), owner = request[at + 5], label = request[at + 6] }
  answers[i] = { 'busy' }
  if any_over and redis.call('EXISTS', over[i]) == 1 then
    answers[i] = { 'over' }
  elseif #lacking(turn, locks, one.id) == 0 then
    answers[i] = { 'granted', look(turn, lock).token, 1 }
    renew(one)
  else
    requests[#requests + 1] = one
    turn.mine[one.id] = one
  end
end

local function record(one, arrival)
  local fields = {
    v = '1',
    mode = 'x',
    kind = one.kind,
    lease = one.lease,
    deadline = one.patience < 0 and '0' or digits(now + one.patience * 1000),
    alive = digits(now + 3000 * recheck),
    inbox = inbox,
    owner = one.owner,
    label = one.label,
  }
  if #locks > 1 then
    fields.names = locks
    fields.pass = digits(arrival + 1000 * pass)
  end
  return cjson.encode(fields)
end

local function prolong(key)
  if redis.call('PTTL', key) < 3 * recheck then
    redis.call('PEXPIRE', key, 3 * recheck)
  end
end

-- One time for all its queues, after everybody who stands in one of them; that of before if it stands in one already.
local function arrival(one)
  local last = now - 1
  for _, name in ipairs(names) do
    local known = redis.call('ZSCORE', name.queue, one.id)
    if known then
      return tonumber(known)
    end
    last = math.max(last, tonumber(redis.call('ZREVRANGE', name.queue, 0, 0, 'WITHSCORES')[2] or '0'))
  end
  return last + 1
end

local deaf = false

-- All who may wait join the queues or keep their place, in the order of the command.
local function join(waiting)
  deaf = unheard(inbox, receivers)
  for _, one in ipairs(waiting) do
    local at = arrival(one)
    for _, name in ipairs(names) do
      redis.call('ZADD', name.queue, digits(at), one.id)
      redis.call('HSET', name.wait, one.id, record(one, at))
    end
  end
  for _, name in ipairs(names) do
    redis.call('HSET', name.wait, 'seen', digits(now))
    prolong(name.queue)
    prolong(name.wait)
  end
end

local function waiting()
  local those = {}
  for _, one in ipairs(requests) do
    if one.kind ~= 'try' then
      those[#those + 1] = one
    end
  end
  return those
end

local function grant(one, token)
  answers[one.place] = { 'granted', token, 0 }
  take(turn, locks, one.id, one, token)
end

if #requests > 0 and fits(turn, locks, requests[1].id) and redis.call('EXISTS', unpack(queues)) == 0 then
  grant(table.remove(requests, 1), next_token(turn))
end
local others = waiting()
if #others > 0 then
  join(others)
end
local more, hindered = false, false
for _, name in ipairs(names) do
  if not look(turn, name.lock) then
    local chosen, why = hand_over(turn, name)
    if chosen and turn.mine[chosen.id] then
      answers[turn.mine[chosen.id].place] = { 'granted', chosen.token, 0 }
    end
    more = more or why == 'more'
    hindered = hindered or why ~= nil
  end
end
if #requests > 0 and requests[1].kind == 'try' and not hindered and fits(turn, locks, requests[1].id) then
  grant(requests[1], next_token(turn))
end

local holder = {}
for _, key in ipairs(locks) do
  local held = look(turn, key)
  if held and #holder == 0 and not (number == 1 and answers[1][1] == 'granted') then
    holder = { held.id, held.token, held.owner, held.label, math.floor((now - held.since) / 1000), held.left }
  end
end
return { more and 1 or 0, redis.call('GET', fence) or '0', holder, answers, deaf and 1 or 0 }
