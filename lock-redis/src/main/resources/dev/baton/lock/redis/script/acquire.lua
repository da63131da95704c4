-- Grants the lock to the first of the given requests of one process, or queues those that may wait.
--
-- A waiting request repeats this command once per recheck, which also says that the request is alive. A repeat keeps its place in
-- the queue. If the lock is free although requests are queued, the script hands it to the first of them.
--
-- A single request may ask for several locks. It is granted all of them or none. While it waits, it holds none of them and has a
-- place in the queue of each. The queues of its other locks are not declared as keys, so such a request cannot run on a cluster.
--
-- The usual cases of requests for one lock never reach this script: acquire_free, acquire_held and acquire_again answer them first.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
--       over_..., string: one per request, the mark that the request has ended; if a single request asks for several locks, its
--         mark is followed by its other locks, each a hash
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (it cannot in a cluster)
--       inbox, channel of the process
--       recheck, milliseconds, > 0
--       pass, milliseconds, >= 0: how long after its arrival other requests may pass a request for several locks
--       request_..., seven per request: id;
--         kind, one of try (does not wait), message (waits, and is notified through the inbox), poll (waits, and asks again);
--         lease, milliseconds, > 0; patience, milliseconds for which it still waits, -1: unbounded; owner; label;
--         reserve, how many tokens after its own to keep for its process if it is granted after a wait, >= 0: tokens says when
--           they are kept
-- REPLY: {more, mark, holder, answers, deaf}
--       more, 1: a lock is free, and the same command would get further in its queue now; else 0
--       mark, the highest token that was given or kept so far; 0: none
--       holder, {} if no lock is held or the only request holds them, else the holder of the first lock that is held
--         {id, token, owner, label, held ms, remaining ms; -1: no expiry}
--       answers, one per request: {granted, token, 1 if it was granted before, else 0} or {busy} or {over}
--       deaf, 1: some of the requests wait, and the inbox has no subscriber; else 0
-- EVENT: inbox of a granted waiter that waits for a message and is none of these requests: grant 1 <id> <token> <lock key>; for
--          several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; or none

-- include tokens
-- include acquire_free
-- include waiter
-- include acquire_held
-- include acquire_again
-- include hand_over
-- include join

local lock, queue, wait, fence, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], { unpack(KEYS, 5) }
local receivers, inbox, recheck, pass = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local request = { unpack(ARGV, 5) }

local turn = begin({ lock = lock, queue = queue, wait = wait }, fence, receivers)
local now = turn.now
local number = #request / 7
local any_over = redis.call('EXISTS', unpack(over, 1, number)) > 0

local locks = { lock, unpack(over, number + 1) }
local names, queues = {}, {}
for i, key in ipairs(locks) do
  names[i] = place(turn, key)
  queues[i] = names[i].queue
end

local function renew(one)
  for _, key in ipairs(locks) do
    -- The caller counts the lease from when it sent this command, so the expiry starts again. It is never shortened.
    if look(turn, key).left < tonumber(one.lease) then
      redis.call('PEXPIRE', key, one.lease)
    end
  end
end

-- Divides the requests: those that have ended, those that already hold the locks, and those to be served.
local requests, answers = {}, {}
for i = 1, number do
  local at = (i - 1) * 7
  local one = { place = i, id = request[at + 1], kind = request[at + 2], lease = request[at + 3],
    patience = tonumber(request[at + 4]), owner = request[at + 5], label = request[at + 6], reserve = request[at + 7] }
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

local function waiting()
  local those = {}
  for _, one in ipairs(requests) do
    if one.kind ~= 'try' then
      those[#those + 1] = one
    end
  end
  return those
end

-- Grants the locks at once. No tokens are kept for a request that has not waited.
local function grant(one)
  one.reserve = nil
  local token = next_token(turn, one)
  answers[one.place] = { 'granted', token, 0 }
  take(turn, locks, one.id, one, token)
end

if #requests > 0 and fits(turn, locks, requests[1].id) and redis.call('EXISTS', unpack(queues)) == 0 then
  grant(table.remove(requests, 1))
end
local deaf, others = false, waiting()
if #others > 0 then
  deaf = join(turn, names, others, { inbox = inbox, recheck = recheck, pass = pass })
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
  grant(requests[1])
end

local holder = {}
for _, key in ipairs(locks) do
  local held = look(turn, key)
  if held and #holder == 0 and not (number == 1 and answers[1][1] == 'granted') then
    holder = { held.id, held.token, held.owner, held.label, math.floor((now - held.since) / 1000), held.left }
  end
end
return { more and 1 or 0, redis.call('GET', fence) or '0', holder, answers, deaf and 1 or 0 }
