-- Takes a lock from its holder, or from all its readers, and notifies them.
--
-- The script then hands the lock over as a release does. If the holder has several locks, the script takes only this one, and the release of
-- the holder gives back the others. A waiter may ask for other locks as well. The queues of those locks are not declared as keys,
-- so such a waiter cannot be on a cluster.
--
-- KEYS: lock, string
--       queue, sorted set
--       wait, hash
--       fence, string
-- ARGV: inboxes, the prefix of every inbox; the SHA-1 of the instance follows it, and a request id begins with that instance
-- REPLY: {what, holder}
--       what, one of taken, free, unknown: unknown if the holder has a mode that this script does not know, and keeps the lock
--       holder, {} if the lock was free, else {its text, the time in us, remaining ms; -1: no expiry}; of several readers, the one
--         whose lease ends last
-- EVENT: inbox of the holder: revoke 1 <id> <token> <lock key>; or none. The inbox of each reader gets the same, with the highest token
--          that was given or kept so far: a reader may not know of its grant yet
--       inbox of a granted waiter that waits for a message: grant 1 <id> <token> <lock key>; for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; if it shares locks:
--        grant 3 <id> <token> <number>, and for each lock the same; or none

-- include lib/lock
-- include lib/grant
-- include lib/run
-- include lib/queue

local lock, queue, wait, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local inboxes = ARGV[1]

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence)
local held = look(turn, lock)
local holder = held and seen(turn, lock) or {}
local what = 'free'

-- A holder that does not receive the message learns of its loss when it renews or releases.
local function revoke(id, token)
  local instance = string.match(id, '^(.*):[^:]*$')
  if instance then
    local inbox = inboxes .. redis.sha1hex(instance)
    redis.pcall('PUBLISH', inbox, 'revoke 1 ' .. id .. ' ' .. token .. ' ' .. lock)
  end
end

if held and held.mode == 'x' then
  what = 'taken'
  redis.call('DEL', lock)
  revoke(held.id, held.token)
  turn.held[lock] = false
elseif is_shared(turn, lock) then
  what = 'taken'
  local readers, reader = reader_keys(lock)
  local ids, highest = redis.call('ZRANGE', readers, 0, -1), redis.call('GET', fence) or held.token
  redis.call('DEL', lock, readers, reader)
  for _, id in ipairs(ids) do
    revoke(id, highest)
  end
  turn.held[lock] = false
elseif held then
  what = 'unknown'
end

if not look(turn, lock) and redis.call('EXISTS', queue) == 1 then
  hand_over(turn, name)
end
return { what, holder }
