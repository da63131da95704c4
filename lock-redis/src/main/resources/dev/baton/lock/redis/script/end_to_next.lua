-- Hands the lock of a holder to the first waiter in its queue, if that waiter is certain to learn of its grant.
--
-- Such a waiter has an inbox with a subscriber, or is of the same process, so that this reply notifies it. This is the usual case
-- of a contended lock. Keys, arguments, reply and writes are those of end. That script follows and handles all other cases, for
-- which this one has changed at most the expiry of the lock. This script has to be fast: each Redis call and each function that it
-- defines costs time.

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
