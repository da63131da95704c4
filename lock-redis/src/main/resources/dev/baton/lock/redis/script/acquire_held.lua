-- Answers one request for one lock that another request holds. A request that waits joins the queue.
--
-- This is the usual case of a contended lock. Keys, arguments, reply and writes are those of acquire. That script follows and
-- handles all other cases, for which this one writes nothing. This script has to be fast: each Redis call and each function that it
-- defines costs time.

do
  local lock, queue, wait, fence, over, another = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
  local receivers, inbox, recheck = ARGV[1], ARGV[2], ARGV[3]
  local id, kind, lease, patience, owner, label, reserve = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]

  -- The lock may have any mode, but needs every field of the reply. If a field is missing, acquire answers with a default.
  local held = not another and redis.call('HMGET', lock, 'id', 'token', 'owner', 'label', 'since')
  if held and held[1] and held[1] ~= id and held[2] and held[3] and held[4] and held[5]
    and redis.call('EXISTS', over) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local deaf = 0
    if kind ~= 'try' then
      stand(queue, wait, id, fields(now, inbox, recheck, kind, lease, patience, owner, label, reserve), now, recheck)
      deaf = receivers == '1' and listeners(inbox) == 0 and 1 or 0
    end
    local holder = { held[1], held[2], held[3], held[4], math.floor((now - held[5]) / 1000), redis.call('PTTL', lock) }
    return { 0, redis.call('GET', fence) or '0', holder, { { 'busy' } }, deaf }
  end
end
