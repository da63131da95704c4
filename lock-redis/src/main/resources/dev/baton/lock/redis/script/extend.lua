-- Sets the lease of a holder again and keeps tokens for its process, as for a new grant, if the lock has no waiters.
--
-- A process that passes a lock on among its own callers sends this. The fields of the lock key do not change. The script acts on the
-- holder's own grant only, so the caller may repeat it or send it late.
--
-- KEYS: lock, hash
--       queue, sorted set
--       fence, string
-- ARGV: id, the request that holds the lock
--       lease, milliseconds from now, > 0
--       reserve, how many tokens to keep for the process of the holder, > 0
-- REPLY: {what, token}
--       what, one of extended, wanted, nothing: wanted if other requests wait, or if so many tokens cannot be kept now; nothing if
--         the request is not the holder
--       token, if the grant was extended (an expiry is never shortened): the token after which as many tokens are kept as the
--         caller asked for; else '', and nothing has changed
-- EVENT: none

-- include tokens

local lock, queue, fence = KEYS[1], KEYS[2], KEYS[3]
local id, lease, reserve = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local held = redis.call('HMGET', lock, 'mode', 'id')
local token = ''
local what
if held[1] ~= 'x' or held[2] ~= id then
  what = 'nothing'
elseif redis.call('EXISTS', queue) == 1 then
  what = 'wanted'
else
  local time = redis.call('TIME')
  local number, highest = next_number(redis.call('GET', fence), time[1] * 1000000 + time[2], reserve)
  what = 'wanted'
  if highest > number then
    what = 'extended'
    -- PEXPIRE comes first, because Redis does not refuse it for lack of memory. After this write, Redis refuses no other command of
    -- the script for that reason.
    if redis.call('PTTL', lock) < lease then
      redis.call('PEXPIRE', lock, lease)
    end
    redis.call('SET', fence, string.format('%.0f', highest))
    token = string.format('%.0f', number)
  end
end
return { what, token }
