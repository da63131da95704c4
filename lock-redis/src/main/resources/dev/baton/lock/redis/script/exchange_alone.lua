-- Ends a holder and grants its lock to another request at once, if the lock has no waiters.
--
-- This is the usual case within one process, so it comes before the other functions of exchange are defined. Keys, arguments, reply
-- and writes are those of exchange. That script follows and handles all other cases, for which this one writes nothing. This
-- script has to be fast: each Redis call costs time.

do
  local lock, queue, wait, fence, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
  local id, mark = ARGV[2], ARGV[3]
  local next_id, lease, owner, label, reserve = ARGV[6], ARGV[8], ARGV[10], ARGV[11], ARGV[12]

  local held = mark == '0' and redis.call('HMGET', lock, 'mode', 'id')
  if held and held[1] == 'x' and held[2] == id and redis.call('EXISTS', queue, wait, begun) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local number, last = next_number(redis.call('GET', fence), now, tonumber(reserve))
    local token = string.format('%.0f', number)
    local highest = string.format('%.0f', last)
    -- PEXPIRE comes first, because Redis does not refuse it for lack of memory. After this write, Redis refuses no other command of
    -- the script for that reason.
    redis.call('PEXPIRE', lock, lease)
    redis.call('SET', fence, highest)
    redis.call('HSET', lock, 'id', next_id, 'token', token, 'owner', owner, 'label', label, 'since', string.format('%.0f', now))
    return { 'holder', 0, highest, {}, { 'granted', token, 0 }, 0, { next_id } }
  end
end
