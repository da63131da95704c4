-- Takes the lock for the first of some requests of one process, or queues those that may wait.
--
-- Also says "these requests are alive": whoever waits repeats it once per recheck. A repeat keeps its place in the queue.
-- A lock found free although others are queued is handed to the first of them.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
--       over_..., string: one per request, the mark that it has ended
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (not in a cluster)
--       inbox, channel of the process
--       recheck, milliseconds, > 0
--       request_..., six per request: id;
--         kind, one of try (does not wait), message (waits, told through its inbox), poll (waits, asks);
--         lease, milliseconds, > 0; patience, milliseconds it still waits, -1: unbounded; owner; label
-- REPLY: {more, mark, holder, answers, deaf}
--       more, 1: nobody could be granted yet, but the same command would come further now; else 0
--       mark, highest token given so far
--       holder, {} if the lock is free or the only request's own, else
--         {id, token, owner, label, held ms, remaining ms; -1: without end}
--       answers, one per request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}
--       deaf, 1: some wait and nobody subscribes to the inbox; else 0
-- EVENT: inbox of a waiter of another process: grant 1 <id> <token> <lock key>; or none

local lock, queue, wait, fence, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], { unpack(KEYS, 5) }
local receivers, inbox, recheck, request = ARGV[1], ARGV[2], tonumber(ARGV[3]), { unpack(ARGV, 4) }

local keys = { lock = lock, queue = queue, wait = wait, fence = fence }
local now = clock()
local held = read_lock(lock)
local any_over = redis.call('EXISTS', unpack(over)) > 0

-- Sorts the requests out: ended, holder already, or still to be served.
local requests, answers, mine = {}, {}, {}
for i = 1, #over do
  local at = (i - 1) * 6
  local one = { place = i, id = request[at + 1], kind = request[at + 2], lease = request[at + 3],
    patience = tonumber(request[at + 4]), owner = request[at + 5], label = request[at + 6] }
  answers[i] = { 'busy' }
  if any_over and redis.call('EXISTS', over[i]) == 1 then
    answers[i] = { 'over' }
  elseif held_by(held, one.id) then
    answers[i] = { 'granted', held.token, 1 }
    -- set anew, never shorter: the caller counts the lease from when it sent this command
    if held.left < tonumber(one.lease) then
      redis.call('PEXPIRE', lock, one.lease)
    end
  else
    requests[#requests + 1] = one
    mine[one.id] = one
  end
end

local function record(one)
  return cjson.encode({
    v = '1',
    mode = 'x',
    kind = one.kind,
    lease = one.lease,
    deadline = one.patience < 0 and '0' or digits(now + one.patience * 1000),
    alive = digits(now + 3000 * recheck),
    inbox = inbox,
    owner = one.owner,
    label = one.label,
  })
end

local function prolong(key)
  if redis.call('PTTL', key) < 3 * recheck then
    redis.call('PEXPIRE', key, 3 * recheck)
  end
end

local deaf = false

-- All who may wait join the queue or keep their place, in the order of the command.
local function join(waiting)
  deaf = unheard(inbox, receivers)
  local last = tonumber(redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2] or '0')
  for _, one in ipairs(waiting) do
    if not redis.call('ZSCORE', queue, one.id) then
      last = math.max(now, last + 1)
      redis.call('ZADD', queue, digits(last), one.id)
    end
    redis.call('HSET', wait, one.id, record(one))
  end
  redis.call('HSET', wait, 'seen', digits(now))
  prolong(queue)
  prolong(wait)
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
  held = take(keys, one.id, one, token, now)
end

local more = false
if fits(held) and #requests > 0 and redis.call('EXISTS', queue) == 0 then
  grant(table.remove(requests, 1), next_token(fence, now))
end
local others = waiting()
if #others > 0 then
  join(others)
end
if fits(held) and #requests > 0 then
  local chosen, gone
  chosen, gone, more = choose(keys, now, receivers, mine, '')
  if chosen then
    gone[#gone + 1] = chosen.id
  end
  remove(keys, gone)
  if chosen and mine[chosen.id] then
    grant(mine[chosen.id], chosen.token)
  elseif chosen then
    held = take(keys, chosen.id, chosen.waiter, chosen.token, now)
  elseif requests[1].kind == 'try' and not more then
    grant(requests[1], next_token(fence, now))
  end
end

local holder = {}
if held and not (#over == 1 and answers[1][1] == 'granted') then
  holder = { held.id, held.token, held.owner, held.label, math.floor((now - held.since) / 1000), held.left }
end
return { more and 1 or 0, redis.call('GET', fence) or '0', holder, answers, deaf and 1 or 0 }
