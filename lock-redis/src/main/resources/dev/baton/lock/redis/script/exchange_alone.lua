-- Ends a holder and takes its lock for another request at once: nobody else waits.
--
-- The usual case within one process, and so before anything else of exchange is even defined. Keys, arguments, reply and what is
-- written are those of exchange, which stands behind it and sees to all other cases: they fall through before anything is
-- written. What counts here is each call of Redis.

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
    -- first what is not refused without memory: then nothing is
    redis.call('PEXPIRE', lock, lease)
    redis.call('SET', fence, highest)
    redis.call('HSET', lock, 'id', next_id, 'token', token, 'owner', owner, 'label', label, 'since', string.format('%.0f', now))
    return { 'holder', 0, highest, {}, { 'granted', token, 0 }, 0, { next_id } }
  end
end
