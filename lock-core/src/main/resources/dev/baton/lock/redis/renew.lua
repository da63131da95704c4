-- Prolongs leases, each only if its request still holds its lock.
--
-- KEYS: lock_..., hash: one per lease
-- ARGV: renewal_..., two per lease: id; lease, milliseconds from now, 0: only ask
-- REPLY: one per lease: 1 if the request holds the lock (its expiry is never shortened), else 0
-- EVENT: none

local lock, renewal = KEYS, ARGV

local answers = {}
for i, key in ipairs(lock) do
  local id, lease = renewal[2 * i - 1], tonumber(renewal[2 * i])
  -- an error, for a key that is something else by now, has neither field
  local field = redis.pcall('HMGET', key, 'mode', 'id')
  if field[1] == 'x' and field[2] == id then
    answers[i] = 1
    if lease > 0 and redis.call('PTTL', key) < lease then
      redis.call('PEXPIRE', key, lease)
    end
  else
    answers[i] = 0
  end
end
return answers
