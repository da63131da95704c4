-- Gives back a lock of one holder to the first in its queue, if that is sure to learn of it.
--
-- That is a waiter who is told by a message and hears it, or one of the same process, which this answer tells. The usual case of
-- a lock that is wanted by several. Keys, arguments, reply and what is written are those of end, which stands behind it and sees
-- to all other cases: they fall through, with the expiry of the lock changed at most. What counts here is each call of Redis,
-- and each function that is defined.

do
  local lock, queue, wait, fence, another = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
  local receivers, id, mark, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

  local held = not another and receivers == '1' and mark == '0' and keep == '0' and redis.call('HMGET', lock, 'mode', 'id')
  if held and held[1] == 'x' and held[2] == id then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local chosen = next_heard(queue, wait, id, now, nil, process_of(id))
    local token = chosen and pass_on(lock, fence, chosen, now)
    if token then
      if chosen.followed then
        redis.call('ZREM', queue, chosen.id)
        redis.call('HDEL', wait, chosen.id)
      else
        redis.call('DEL', queue, wait)
      end
      return { 'holder', {}, 0, { chosen.id }, chosen.own and token or '' }
    end
  end
end
