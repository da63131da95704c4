-- Takes a lock from its holder, whoever that is, and tells it.
--
-- The lock is handed over as by end. Of a holder of several locks only this one is taken; its end gives back the others.
-- The queues of other locks that a waiter asks for as well are not declared: not for a cluster.
--
-- KEYS: lock, hash
--       queue, sorted set
--       wait, hash
--       fence, string
-- ARGV: receivers, 1 or 0: whether the number of receivers that Redis reports can be trusted (not in a cluster)
--       inboxes, what every inbox begins with; the SHA-1 of the instance, which a request id begins with, follows
-- REPLY: {what, holder}
--       what, one of taken, free, unknown: held in a mode that is not known here, and left alone
--       holder, {} if the lock was free, else {id, token, owner, label, held ms, remaining ms; -1: without end}
-- EVENT: inbox of the holder: revoke 1 <id> <token> <lock key>; or none
--       inbox of the waiter who is granted the lock: grant 1 <id> <token> <lock key>; of one for several locks:
--        grant 2 <id> <token>, and for each lock: <bytes of its key> <lock key>; or none

-- include tokens
-- include waiter
-- include hand_over

local lock, queue, wait, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local receivers, inboxes = ARGV[1], ARGV[2]

local name = { lock = lock, queue = queue, wait = wait }
local turn = begin(name, fence, receivers)
local held = look(turn, lock)
local holder = {}
if held then
  holder = { held.id, held.token, held.owner, held.label, math.floor((turn.now - held.since) / 1000), held.left }
end
local what = 'free'
if held and held.mode ~= 'x' then
  what = 'unknown'
elseif held then
  what = 'taken'
  redis.call('DEL', lock)
  local instance = string.match(held.id, '^(.*):[^:]*$')
  if instance then
    -- a holder that cannot be told learns of it when it renews or releases
    local inbox = inboxes .. redis.sha1hex(instance)
    redis.pcall('PUBLISH', inbox, 'revoke 1 ' .. held.id .. ' ' .. held.token .. ' ' .. lock)
  end
  turn.held[lock] = false
end

if not look(turn, lock) and redis.call('EXISTS', queue) == 1 then
  hand_over(turn, name)
end
return { what, holder }
