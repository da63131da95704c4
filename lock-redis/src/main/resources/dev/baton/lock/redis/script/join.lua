-- What acquire and exchange share: puts requests of one process into queues. The loader puts it behind the hand-over.

-- A waiter as it stands in the wait key. process: inbox, recheck (ms) and pass (ms).
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

-- One time for all its queues, after everybody who stands in one of them; that of before if it stands in one already.
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

-- All join the queues or keep their place, in this order. Returns whether they cannot be told.
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
