-- Sets the lease of a holder again and keeps tokens for its process, as for a new grant, if the lock has no waiters.
--
-- A process that passes a lock on among its own callers sends this. The text of the lock does not change. The script acts on the
-- holder's own grant only, so the caller may repeat it or send it late.
--
-- KEYS: lock, string
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

-- include lib/lock

local lock, queue, fence = KEYS[1], KEYS[2], KEYS[3]
local id, lease, reserve = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local token = ''
local what
if not held_by(redis.call('GET', lock), '2 x ' .. id .. ' ') then
  what = 'nothing'
elseif redis.call('EXISTS', queue) == 1 then
  what = 'wanted'
else
  local number, highest = next_number(redis.call('GET', fence), clock(), reserve)
  what = 'wanted'
  if highest > number then
    what = 'extended'
    -- PEXPIRE comes first, because Redis does not refuse it for lack of memory. After this write, Redis refuses no other command of
    -- the script for that reason.
    if redis.call('PTTL', lock) < lease then
      redis.call('PEXPIRE', lock, lease)
    end
    redis.call('SET', fence, digits(highest))
    token = digits(number)
  end
end
return { what, token }
