-- Gives back a lock that has no waiters. This is the usual case, so it comes before the functions of end are defined.
--
-- It ends a holder of one lock that neither keeps the lock nor leaves a mark. Keys and arguments are those of end. That script
-- follows, handles all other cases, and would do the same in this case. The reply is only {holder}. This script has to be fast:
-- each Redis call costs time.

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
