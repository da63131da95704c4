-- Has a holder begin anew, as if it had been granted the lock just now, if nobody else waits for it and tokens can be kept.
--
-- For a process that passes a lock on by itself. Acts on the holder's own grant only, so it may be repeated, and late.
--
-- KEYS: lock, hash
--       queue, sorted set
--       fence, string
-- ARGV: id, the request that holds the lock
--       lease, milliseconds from now, > 0
--       reserve, how many tokens are given to nobody else, > 0
-- REPLY: {what, token}
--       what, one of extended, wanted, nothing: wanted if others wait, or so many tokens cannot be kept now; nothing if it is
--         not the holder
--       token, if it was extended (an expiry is never shortened): of those after it so many are reserved as were asked for; else
--         '', and nothing has changed
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
    -- first what is not refused without memory: then nothing is
    if redis.call('PTTL', lock) < lease then
      redis.call('PEXPIRE', lock, lease)
    end
    redis.call('SET', fence, string.format('%.0f', highest))
    token = string.format('%.0f', number)
  end
end
return { what, token }
