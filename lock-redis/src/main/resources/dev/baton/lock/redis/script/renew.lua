-- Extends leases. A lease is extended only if its request still holds all its locks.
--
-- The keys of the readers of a lock are not declared as keys.
--
-- KEYS: lock_..., string: the locks of each lease, one lease after the other
-- ARGV: renewal_..., three per lease: id; number of its locks, > 0; lease, milliseconds from now, 0: only ask
-- REPLY: one per lock: 1 if the request of its lease holds it (an expiry is never shortened), else 0
-- EVENT: none

-- include lib/lock
-- include lib/run

local lock, renewal = KEYS, ARGV

local answers, shared = {}, {}
local now = clock()

local function holds(i, id)
  -- If the key has another type by now, Redis answers with an error, which is no text.
  local text = redis.pcall('GET', lock[i])
  if type(text) ~= 'string' then
    return false
  end
  shared[i] = string.match(text, '^2 ([sp]) ')
  return shared[i] and is_reading(lock[i], id, now) or held_by(text, '2 x ' .. id .. ' ')
end

for at = 1, #renewal, 3 do
  local id, number, lease = renewal[at], tonumber(renewal[at + 1]), tonumber(renewal[at + 2])
  local first, all = #answers + 1, true
  for i = first, first + number - 1 do
    answers[i] = holds(i, id) and 1 or 0
    all = all and answers[i] == 1
  end
  for i = first, #answers do
    if all and lease > 0 then
      if shared[i] then
        read_for(lock[i], id, now, lease)
      elseif redis.call('PTTL', lock[i]) < lease then
        redis.call('PEXPIRE', lock[i], lease)
      end
      if shared[i] == 'p' then
        local _, reader = reader_keys(lock[i])
        local _, size = permits_of(redis.call('HMGET', reader, id)[1])
        if size then
          stand_for(lock[i], size, now, lease)
        end
      end
    end
  end
end
return answers
