-- Gives back a lock that nobody waits for: the usual case, and so before anything else of end is even defined.
--
-- A holder of one lock, for whom nothing is kept or marked. Keys and arguments are those of end, which stands behind it, sees to
-- all other cases and would do the same here. The reply is short: {holder}. What counts here is each call of Redis.

do
  local lock, queue, wait, another = KEYS[1], KEYS[2], KEYS[3], KEYS[6]
  local id, mark, keep = ARGV[2], ARGV[3], ARGV[4]

  if not another and mark == '0' and keep == '0' then
    local held = redis.call('HMGET', lock, 'mode', 'id')
    if held[1] == 'x' and held[2] == id and redis.call('EXISTS', queue, wait) == 0 then
      redis.call('DEL', lock)
      return { 'holder' }
    end
  end
end
