-- What acquire and end share: reads the lock, chooses who is next, and writes the grant. Put in front of both by the loader.
--
-- Lock key (hash): mode (x: exclusive), id, token, owner, label, since (us). An unknown mode means: held by others.
-- Wait key (hash): request id -> waiter record (JSON, numbers as text, unknown fields kept), seen -> last acquire (us).
-- Times are microseconds of Redis's own clock, leases milliseconds.

local PAGE = 64
local LOOK = 1024

local function digits(number)
  return string.format('%.0f', number)
end

local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- nil: the lock is free
local function read_lock(lock)
  local left = redis.call('PTTL', lock)
  if left == -2 then
    return nil
  end
  local field = redis.call('HMGET', lock, 'mode', 'id', 'token', 'owner', 'label', 'since')
  return {
    mode = field[1] or '',
    id = field[2] or '',
    token = field[3] or '0',
    owner = field[4] or '',
    label = field[5] or '',
    since = tonumber(field[6] or '0'),
    left = left,
  }
end

local function held_by(held, id)
  return held ~= nil and held.mode == 'x' and held.id == id
end

local function fits(held)
  return held == nil
end

local function next_token(fence, now)
  return digits(math.max(now, tonumber(redis.call('GET', fence) or '0') + 1))
end

-- The record of a waiter; nil if it is none.
local function readable(record)
  local good, waiter = pcall(cjson.decode, record or '')
  if good and type(waiter) == 'table' and tonumber(waiter.alive) and tonumber(waiter.deadline) and tonumber(waiter.lease)
    and waiter.inbox and waiter.owner and waiter.label then
    return waiter
  end
  return nil
end

local function late(waiter, now)
  return waiter.deadline ~= '0' and tonumber(waiter.deadline) <= now
end

-- Whether nothing was heard from a waiter for three rechecks. Measured against the last acquire of anybody, not against
-- the clock: after an outage of Redis itself everybody looks silent.
local function silent(waiter, seen)
  return seen ~= nil and tonumber(waiter.alive) < seen
end

-- Whether certainly nobody subscribes to an inbox. Counts subscribers of this very channel; PUBLISH also counts monitors
-- that subscribed to a pattern.
local function unheard(inbox, receivers)
  if receivers ~= '1' then
    return false
  end
  local subscribers = redis.pcall('PUBSUB', 'NUMSUB', inbox)
  return not subscribers.err and subscribers[2] == 0
end

local function told(inbox, message, receivers, deaf)
  if not deaf[inbox] and unheard(inbox, receivers) then
    deaf[inbox] = true
  end
  if deaf[inbox] then
    return false
  end
  local receipt = redis.pcall('PUBLISH', inbox, message)
  if type(receipt) == 'table' or (receivers == '1' and receipt == 0) then
    deaf[inbox] = true
    return false
  end
  return true
end

-- Looks through the queue for the first request that can be granted, and tells it; changes nothing.
-- mine: ids whose caller reads the reply of this script. leaving: an id that is being ended, or ''.
-- Returns {id, waiter, token}, or nil; the ids to remove; and whether another call would come further.
local function choose(keys, now, receivers, mine, leaving)
  -- A write before the message: where Redis refuses to write (a replica, no disk) the script ends here, before anybody is
  -- told of a grant that cannot be written; and a script that has written is not refused more memory.
  redis.call('ZREM', keys.queue, '')
  local seen = tonumber(redis.call('HGET', keys.wait, 'seen') or nil)
  local token = next_token(keys.fence, now)
  local gone, deaf, offset, size = {}, {}, 0, 1
  while offset < LOOK do
    local ids = redis.call('ZRANGE', keys.queue, offset, offset + size - 1)
    if #ids == 0 then
      return nil, gone, false
    end
    local records = redis.call('HMGET', keys.wait, unpack(ids))
    for i, id in ipairs(ids) do
      -- nil for a record that is not ours to read: it is neither granted nor removed
      local waiter = readable(records[i])
      if id == leaving or not records[i] then
        gone[#gone + 1] = id
      elseif waiter and mine[id] then
        return { id = id, waiter = waiter, token = token }, gone, false
      elseif waiter and (late(waiter, now) or silent(waiter, seen)) then
        gone[#gone + 1] = id
      elseif waiter and (waiter.kind == 'poll'
        or told(waiter.inbox, 'grant 1 ' .. id .. ' ' .. token .. ' ' .. keys.lock, receivers, deaf)) then
        return { id = id, waiter = waiter, token = token }, gone, false
      end
    end
    offset = offset + #ids
    size = PAGE
  end
  return nil, gone, #gone > 0
end

local function remove(keys, ids)
  for _, id in ipairs(ids) do
    redis.call('ZREM', keys.queue, id)
    redis.call('HDEL', keys.wait, id)
  end
  if #ids > 0 and redis.call('EXISTS', keys.queue) == 0 then
    redis.call('DEL', keys.wait)
  end
end

-- Writes a grant and returns it as what is held now.
local function take(keys, id, waiter, token, now)
  redis.call('SET', keys.fence, token)
  redis.call('HSET', keys.lock, 'mode', 'x', 'id', id, 'token', token, 'owner', waiter.owner, 'label', waiter.label,
    'since', digits(now))
  redis.call('PEXPIRE', keys.lock, waiter.lease)
  return {
    mode = 'x',
    id = id,
    token = token,
    owner = waiter.owner,
    label = waiter.label,
    since = now,
    left = tonumber(waiter.lease),
  }
end
