-- Grants a free lock that has no waiters. This is the usual case, so it comes before the other functions of acquire are defined.
--
-- It handles one request for one lock. Keys and arguments are those of acquire. That script follows, handles all other cases, and
-- would grant the lock in this case as well. The reply is only {token}: the token of the only request, which had not been granted
-- the lock before. This script has to be fast: each Redis call, each value of the reply, and each number that it converts to text
-- costs time.

do
  local lock, queue, fence, over, another = KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6]
  local id, lease, owner, label = ARGV[5], ARGV[7], ARGV[9], ARGV[10]

  if not another and redis.call('EXISTS', lock, queue, over) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local number = next_number(redis.call('GET', fence), now, 0)
    local token = string.format('%.0f', number)
    redis.call('SET', fence, token)
    redis.call('HSET', lock, 'mode', 'x', 'id', id, 'token', token, 'owner', owner, 'label', label,
      'since', number == now and token or string.format('%.0f', now))
    redis.call('PEXPIRE', lock, lease)
    return { token }
  end
end
