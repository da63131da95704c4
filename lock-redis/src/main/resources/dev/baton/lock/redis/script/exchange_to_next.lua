-- Ends a holder, hands its lock to the first waiter in the queue, and lets another request join the queue.
--
-- This is the usual case of a lock that several processes want. Keys, arguments, reply and writes are those of exchange. That
-- script follows and handles all other cases, for which this one has changed at most the expiry of the lock. This script has to be
-- fast: each Redis call and each function that it defines costs time.

do
  local lock, queue, wait, fence, begun = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
  local receivers, id, mark, inbox, recheck = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  local next_id, kind, lease, patience, owner, label, reserve =
    ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12]

  local held = receivers == '1' and mark == '0' and redis.call('HMGET', lock, 'mode', 'id')
  if held and held[1] == 'x' and held[2] == id and redis.call('EXISTS', begun) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local chosen = next_heard(queue, wait, id, now, now, nil)
    local token, highest
    if chosen and chosen.id ~= next_id then
      token, highest = pass_on(lock, fence, chosen, now)
    end
    if token then
      stand(queue, wait, next_id, fields(now, inbox, recheck, kind, lease, patience, owner, label, reserve), now, recheck)
      redis.call('ZREM', queue, chosen.id)
      redis.call('HDEL', wait, chosen.id)
      local waiter = chosen.record
      local holder = { chosen.id, token, waiter.owner, waiter.label, 0, tonumber(waiter.lease) }
      return { 'holder', 0, highest, holder, { 'busy' }, listeners(inbox) == 0 and 1 or 0, { chosen.id } }
    end
  end
end
