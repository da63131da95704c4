-- Tells the process of the holder of a lock, or each process whose requests share it, that another request waits.
--
-- The keys of the readers of a lock are not declared. Nothing is changed.
--
-- KEYS: lock, string
-- ARGV: inboxes, the prefix of every inbox; the SHA-1 of the instance follows it, and a request id begins with that instance
-- REPLY: {told}
--       told, how many inboxes were sent the message, with a subscriber or without
-- EVENT: inbox of each of these processes: wanted 1 <id> <token> <lock key>; the id is that of one of its requests that hold the lock

-- include lib/lock
-- include lib/run

local lock = KEYS[1]
local inboxes = ARGV[1]

local mode, holder, token = string.match(redis.call('GET', lock) or '', '^2 (%a+) ([^ ]*) (%d+) ')
local ids = { holder }
if mode == 's' or mode == 'p' then
  ids = redis.call('ZRANGE', (reader_keys(lock)), '(' .. digits(math.floor(clock() / 1000)), '+inf', 'BYSCORE')
end

local told, processes = 0, {}
for _, id in ipairs(ids) do
  -- A lock that is kept after its release has no instance.
  local instance = string.match(id, '^(.*):[^:]*$')
  if instance and not processes[instance] then
    processes[instance] = true
    told = told + 1
    local inbox = inboxes .. redis.sha1hex(instance)
    redis.pcall('PUBLISH', inbox, 'wanted 1 ' .. id .. ' ' .. token .. ' ' .. lock)
  end
end
return { told }
