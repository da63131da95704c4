-- Takes one or several locks for a request, in one step and before all waiters, from whichever requests hold them, and notifies these.
--
-- The caller may name the token of the only holder that may lose a lock. If another holds one of them, or none is held, nothing is
-- changed. Waiters keep their places; the request itself leaves its queues. A lock that the request shares is then handed to the
-- readers before the first writer, as by an acquire. If a holder has other locks as well, its release gives them back.
--
-- A request that holds all the locks keeps its token, so the caller may repeat the script. The mark of a request that has ended
-- refuses a late script. The queues of the other locks, and the keys of readers, are not declared as keys, so a request for several locks
-- cannot run on a cluster.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
--       over, string: the mark that the request has ended
--       others_..., string: the other locks of a request for several
-- ARGV: record, of the request, which docs/storage.md describes
--       inboxes, the prefix of every inbox; the SHA-1 of the instance follows it, and a request id begins with that instance
--       expected, the token of the holder that may lose the locks; 0: any
-- REPLY: {what, token, again, mark, holder, taken}
--       what, one of granted, busy, over
--       token, of the grant; 0 if there is none
--       again, 1: the request held the locks before; else 0
--       mark, the highest token that was given or kept so far; 0: none
--       holder, {} unless the answer is busy and a lock is held, else the first such lock:
--         {its text, the time in us, remaining ms; -1: no expiry}
--       taken, one per lock that was taken from a holder: the same of that lock before
-- EVENT: inbox of each holder: revoke 1 <id> <token> <lock key>; or none. The inbox of each reader gets the same, with the highest token
--          that was given or kept before: a reader may not know of its grant yet
--       inbox of a reader that waits for a message, as of every hand-over: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks, which here all do:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence, over, others = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], { unpack(KEYS, 6) }
local record, inboxes, expected = ARGV[1], ARGV[2], ARGV[3]

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)
local one = readable(record)
local locks = { lock, unpack(others) }

-- Finds the locks that others hold, and whether all of these have the expected holder.
local held, before, allowed = {}, {}, true
for _, key in ipairs(locks) do
  if look(turn, key) and not holds(turn, key, one.id) then
    held[#held + 1] = key
    before[#before + 1] = seen(turn, key)
    allowed = allowed and look(turn, key).token == expected
  end
end

local function renew()
  for _, key in ipairs(locks) do
    -- The caller counts the lease from when it sent this command, so the expiry starts again. It is never shortened.
    if is_shared(turn, key) then
      read_for(key, one.id, turn.now, one.lease)
    elseif look(turn, key).left < tonumber(one.lease) then
      redis.call('PEXPIRE', key, one.lease)
    end
  end
end

-- Takes a lock from all that hold it. Returns the id of each, and the token that its message names.
local function free(key)
  local lost, losers = look(turn, key), {}
  if lost.mode == 's' then
    local readers, reader = reader_keys(key)
    local highest = redis.call('GET', fence) or lost.token
    for _, id in ipairs(redis.call('ZRANGE', readers, 0, -1)) do
      losers[#losers + 1] = { id, highest, key }
    end
    redis.call('DEL', readers, reader)
  else
    losers[1] = { lost.id, lost.token, key }
  end
  turn.held[key] = false
  return losers
end

-- A holder that does not receive the message learns of its loss when it renews or releases.
local function revoke(loser)
  local id, token, key = unpack(loser)
  local instance = string.match(id, '^(.*):[^:]*$')
  if instance then
    local inbox = inboxes .. redis.sha1hex(instance)
    redis.pcall('PUBLISH', inbox, 'revoke 1 ' .. id .. ' ' .. token .. ' ' .. key)
  end
end

local token, again, holder, taken = '0', 0, {}, {}
local what = 'granted'
if redis.call('EXISTS', over) == 1 then
  what = 'over'
elseif #lacking(turn, locks, one.id) == 0 then
  token, again = token_of(turn, locks, one.id), 1
  renew()
elseif expected ~= '0' and not (allowed and #held > 0) then
  what = 'busy'
  holder = before[1] or {}
else
  taken = before
  local losers = {}
  for _, key in ipairs(held) do
    for _, loser in ipairs(free(key)) do
      losers[#losers + 1] = loser
    end
  end
  token = next_token(turn, locks, one, 0)
  take(turn, locks, one, token)
  remove(turn, name, { one })
  -- Nothing is sent before all is written: if Redis refuses a write, no holder is notified.
  for _, loser in ipairs(losers) do
    revoke(loser)
  end
  for _, key in ipairs(locks) do
    if is_shared(turn, key) then
      hand_over(turn, place(turn, key))
    end
  end
end
local mark = redis.call('GET', fence) or '0'
return { what, token, again, mark, holder, taken }
