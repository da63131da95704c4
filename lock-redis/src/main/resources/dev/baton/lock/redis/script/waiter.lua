-- What the usual cases and the general scripts share: the record of a waiter, and its place in the queue of one lock.

local function digits(number)
  return string.format('%.0f', number)
end

-- What the ids of the process of a request begin with; nil: its id is not made like that.
local function process_of(id)
  return string.match(id, '^.*:')
end

-- Whether an id is of a process. process: what its ids begin with; nil: none is.
local function is_of(process, id)
  return process ~= nil and process_of(id) == process
end

-- The fields of the record of a request that waits, as hand_over says. now: us; recheck, lease and patience: ms.
local function fields(now, inbox, recheck, kind, lease, patience, owner, label, reserve)
  return {
    v = '1',
    mode = 'x',
    kind = kind,
    lease = lease,
    deadline = tonumber(patience) < 0 and '0' or digits(now + patience * 1000),
    alive = digits(now + 3000 * recheck),
    -- by when one that is not told asks again, with a quarter of a recheck to spare
    asks = kind == 'poll' and digits(now + 1250 * recheck) or nil,
    inbox = inbox,
    owner = owner,
    label = label,
    reserve = reserve ~= '0' and reserve or nil,
  }
end

-- Has a key live for three rechecks at least.
local function keep_alive(key, recheck)
  if redis.call('PTTL', key) < 3 * recheck then
    redis.call('PEXPIRE', key, 3 * recheck)
  end
end

-- Puts a request behind the last, whatever the clock, or rewrites its record.
local function stand(queue, wait, id, record, now, recheck)
  local moment, last = digits(now), redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2] or 0
  redis.call('ZADD', queue, 'NX', now > tonumber(last) and moment or digits(last + 1), id)
  redis.call('HSET', wait, id, cjson.encode(record), 'seen', moment)
  keep_alive(queue, recheck)
  keep_alive(wait, recheck)
end

-- How many listen to an inbox; nil where that cannot be asked.
local function listeners(inbox)
  return redis.pcall('PUBSUB', 'NUMSUB', inbox)[2]
end
