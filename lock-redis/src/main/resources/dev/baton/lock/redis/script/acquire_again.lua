-- Repeats waiting requests for one lock that another request holds. They keep their places and count as alive.
--
-- This is the usual recheck of a process with several waiters. Keys, arguments, reply and writes are those of acquire. That script
-- follows and handles all other cases, for which this one writes nothing. This script has to be fast: its work for each
-- request costs time.

do
  local lock, queue, wait, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local receivers, inbox, recheck = ARGV[1], ARGV[2], ARGV[3]
  local number = #KEYS - 4

  -- The lock may have any mode, but needs every field of the reply. A request for several locks has fewer arguments and is left to
  -- acquire.
  local held = #ARGV == 4 + 7 * number and redis.call('HMGET', lock, 'id', 'token', 'owner', 'label', 'since')
  if held and held[1] and held[2] and held[3] and held[4] and held[5] and redis.call('EXISTS', unpack(KEYS, 5)) == 0 then
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local records, answers, usual = {}, {}, true
    for i = 1, number do
      local id, kind, lease, patience, owner, label, reserve = unpack(ARGV, 7 * i - 2, 7 * i + 4)
      usual = usual and kind ~= 'try' and id ~= held[1] and redis.call('ZSCORE', queue, id)
      records[2 * i - 1] = id
      records[2 * i] = cjson.encode(fields(now, inbox, recheck, kind, lease, patience, owner, label, reserve))
      answers[i] = { 'busy' }
    end
    if usual then
      redis.call('HSET', wait, 'seen', digits(now), unpack(records))
      keep_alive(queue, recheck)
      keep_alive(wait, recheck)
      local deaf = receivers == '1' and listeners(inbox) == 0 and 1 or 0
      local holder = { held[1], held[2], held[3], held[4], math.floor((now - held[5]) / 1000), redis.call('PTTL', lock) }
      return { 0, redis.call('GET', fence) or '0', holder, answers, deaf }
    end
  end
end
