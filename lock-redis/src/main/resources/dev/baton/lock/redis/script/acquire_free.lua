-- Grants a free lock that nobody waits for: the usual case, and so before anything else of acquire is even defined.
--
-- One request for one lock. Keys and arguments are those of acquire, which stands behind it, sees to all other cases and would
-- grant here as well. The reply is short: {token}, of the only request, and a lock that it had not been granted before. What
-- counts here is each call of Redis, each value that is answered, and each number that is made a text.

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
