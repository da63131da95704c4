-- Makes the record of a waiter, and its place in the queue of one lock. The usual cases and the general scripts share it.

local function digits(number)
  return string.format('%.0f', number)
end

-- Returns the prefix of all ids of the process of a request, or nil if its id has no such prefix.
local function process_of(id)
  return string.match(id, '^.*:')
end

-- Returns whether an id is of a process. process: the prefix of its ids; nil: no id is of it.
local function is_of(process, id)
  return process ~= nil and process_of(id) == process
end

-- Returns the fields of the record of a waiting request, which hand_over describes. now: us; recheck, lease and patience: ms.
local function fields(now, inbox, recheck, kind, lease, patience, owner, label, reserve)
  return {
    v = '1',
    mode = 'x',
    kind = kind,
    lease = lease,
    deadline = tonumber(patience) < 0 and '0' or digits(now + patience * 1000),
    alive = digits(now + 3000 * recheck),
    -- The time by which a polling waiter asks again, with a quarter of a recheck to spare.
    asks = kind == 'poll' and digits(now + 1250 * recheck) or nil,
    inbox = inbox,
    owner = owner,
    label = label,
    reserve = reserve ~= '0' and reserve or nil,
  }
end

-- Lets a key live for at least three rechecks from now.
local function keep_alive(key, recheck)
  if redis.call('PTTL', key) < 3 * recheck then
    redis.call('PEXPIRE', key, 3 * recheck)
  end
end

-- Puts a request at the end of the queue, whatever the clock says. If the request is in the queue already, rewrites its record.
local function stand(queue, wait, id, record, now, recheck)
  local moment, last = digits(now), redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2] or 0
  redis.call('ZADD', queue, 'NX', now > tonumber(last) and moment or digits(last + 1), id)
  redis.call('HSET', wait, id, cjson.encode(record), 'seen', moment)
  keep_alive(queue, recheck)
  keep_alive(wait, recheck)
end

-- Returns the number of subscribers of an inbox, or nil if Redis does not report it.
local function listeners(inbox)
  return redis.pcall('PUBSUB', 'NUMSUB', inbox)[2]
end
