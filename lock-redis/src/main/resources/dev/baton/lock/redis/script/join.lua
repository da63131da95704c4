-- Puts requests of one process into queues. The scripts acquire and exchange share it, and include it after hand_over.

-- Returns the record of a waiter, as the wait key has it. process: its inbox, recheck (ms) and pass (ms).
local function record(turn, names, one, process, arrival)
  local field = fields(turn.now, process.inbox, process.recheck, one.kind, one.lease, one.patience, one.owner, one.label,
    one.reserve)
  if #names > 1 then
    field.names = {}
    for i, name in ipairs(names) do
      field.names[i] = name.lock
    end
    field.pass = digits(arrival + 1000 * process.pass)
  end
  return cjson.encode(field)
end

-- Returns one arrival time of a request for all its queues, after the requests in each of them. If the request already is in one of
-- the queues, it keeps its time.
local function arrival(turn, names, one)
  local last = turn.now - 1
  for _, name in ipairs(names) do
    local known = redis.call('ZSCORE', name.queue, one.id)
    if known then
      return tonumber(known)
    end
    last = math.max(last, tonumber(redis.call('ZREVRANGE', name.queue, 0, 0, 'WITHSCORES')[2] or '0'))
  end
  return last + 1
end

-- Lets all requests join the queues in this order, or keep their places. Returns whether they cannot be notified.
local function join(turn, names, waiting, process)
  for _, one in ipairs(waiting) do
    local at = arrival(turn, names, one)
    for _, name in ipairs(names) do
      redis.call('ZADD', name.queue, digits(at), one.id)
      redis.call('HSET', name.wait, one.id, record(turn, names, one, process, at))
    end
  end
  for _, name in ipairs(names) do
    redis.call('HSET', name.wait, 'seen', digits(turn.now))
    keep_alive(name.queue, process.recheck)
    keep_alive(name.wait, process.recheck)
  end
  return unheard(process.inbox, turn.receivers)
end
