-- Says whether grants of this primary count. They do not for a while after the primary was replaced or restarted.
--
-- The first call that finds another primary than the stored one stores the new one, and the end of the pause. A primary that
-- was demoted and is promoted again has another replication id by then; one that is restarted has another run id.
--
-- KEYS: primary, string: run id, replication id, and the end of the pause in milliseconds since 1970
-- ARGV: pause, milliseconds > 0
-- REPLY: {remaining}
--   remaining, milliseconds until grants count, at most the pause; 0 if they count
-- EVENT: none

-- include lib/lock

local primary, pause = KEYS[1], tonumber(ARGV[1])

local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local replication = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
local identity = run .. ' ' .. replication .. ' '

local now = math.floor(clock() / 1000)
local text = redis.call('GET', primary)
local remaining
if not text or string.sub(text, 1, #identity) ~= identity then
  redis.call('SET', primary, identity .. string.format('%.0f', now + pause))
  remaining = pause
else
  remaining = math.max(0, math.min(pause, string.sub(text, #identity + 1) - now))
end
return { remaining }
