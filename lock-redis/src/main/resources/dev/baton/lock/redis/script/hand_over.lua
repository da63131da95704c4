-- What acquire, end and exchange share: reads locks, chooses who is next, and writes grants. Stands behind tokens and
-- waiter.
--
-- Lock key (hash): mode (x: exclusive), id (empty: ended, and kept from others for a while), token, owner, label, since
-- (us). An unknown mode means: held by others.
-- Wait key (hash): request id -> waiter record (JSON, numbers as text, unknown fields kept), seen -> last acquire (us).
-- Times are microseconds of Redis's own clock, leases milliseconds.
--
-- A request for several locks stands in the queue of each, with one arrival time; its record, the same in each, has all
-- lock keys (names) and until when others may pass it (pass). It is granted all of them in one step, when all are free and
-- nobody who may not be passed stands before it in any queue. Requests for one lock are never passed by it. It may be
-- passed on a free lock while others fit; after that time the lock is kept free for it, unless it cannot be told.
--
-- The queues of its other locks are not declared by the script that hands over: only a server that has all keys may be
-- asked for several locks, never a cluster.

local PAGE = 64
local LOOK = 1024

local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- What one call knows. mine: ids whose caller reads the reply of this script; readers: what the ids of the process begin with that
-- reads in the reply of a grant, by the lock key; held: what was read of locks, by key, false: free; deaf: inboxes, by whether
-- nobody subscribes to them; gone: ids that are to be removed from all their queues; places: the keys of a name, by its lock key.
local function begin(name, fence, receivers)
  return { now = clock(), fence = fence, receivers = receivers, mine = {}, readers = {}, held = {}, deaf = {}, gone = {},
    places = { [name.lock] = name } }
end

-- The keys of a name. The first colons around the word are those of the kind: no namespace has such a name after its first.
local function place(turn, lock)
  if not turn.places[lock] then
    turn.places[lock] = { lock = lock, queue = string.gsub(lock, ':lock:', ':queue:', 1),
      wait = string.gsub(lock, ':lock:', ':wait:', 1) }
  end
  return turn.places[lock]
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

-- As read_lock, once per call.
local function look(turn, lock)
  if turn.held[lock] == nil then
    turn.held[lock] = read_lock(lock) or false
  end
  return turn.held[lock] or nil
end

local function held_by(held, id)
  return held ~= nil and held.mode == 'x' and held.id == id
end

-- The places, in the list, of the locks that a request does not hold.
local function lacking(turn, locks, id)
  local missing = {}
  for i, lock in ipairs(locks) do
    if not held_by(look(turn, lock), id) then
      missing[#missing + 1] = i
    end
  end
  return missing
end

-- Whether nobody else holds one of the locks. Of several it may hold some itself, the others having been deleted.
local function fits(turn, locks, id)
  for _, lock in ipairs(locks) do
    local held = look(turn, lock)
    if held and not held_by(held, id) then
      return false
    end
  end
  return true
end

-- How many tokens are to be kept for the process of a waiter.
local function wanted(waiter)
  return tonumber(waiter.reserve or '0')
end

-- The token with which a waiter is granted a lock now.
local function next_token(turn, waiter)
  local number = next_number(redis.call('GET', turn.fence), turn.now, wanted(waiter))
  return digits(number)
end

-- The record of a waiter; nil if it is none.
local function readable(record)
  local good, waiter = pcall(cjson.decode, record or '')
  if good and type(waiter) == 'table' and tonumber(waiter.alive) and tonumber(waiter.deadline) and tonumber(waiter.lease)
    and waiter.inbox and waiter.owner and waiter.label and (not waiter.reserve or tonumber(waiter.reserve))
    and (not waiter.names or (type(waiter.names) == 'table' and tonumber(waiter.pass))) then
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

-- Whether the answer tells a waiter that it was granted the lock.
local function is_reader(turn, name, id, waiter)
  return not waiter.names and is_of(turn.readers[name.lock], id)
end

-- Whether a waiter asks again in time. One that did not may be gone: it is granted a lock only if it can be told.
local function polls(turn, waiter)
  return waiter.kind == 'poll' and turn.now <= (tonumber(waiter.asks) or 0)
end

local function asks(turn, name, id, waiter)
  return turn.mine[id] or polls(turn, waiter) or is_reader(turn, name, id, waiter)
end

-- Whether a waiter would learn of a grant, as far as is known before it is told.
local function hears(turn, name, id, waiter)
  if asks(turn, name, id, waiter) then
    return true
  end
  if turn.deaf[waiter.inbox] == nil then
    turn.deaf[waiter.inbox] = unheard(waiter.inbox, turn.receivers)
  end
  return not turn.deaf[waiter.inbox]
end

local function message(name, id, waiter, token)
  if not waiter.names then
    return 'grant 1 ' .. id .. ' ' .. token .. ' ' .. name.lock
  end
  local parts = { 'grant 2 ' .. id .. ' ' .. token }
  for _, lock in ipairs(waiter.names) do
    parts[#parts + 1] = #lock .. ' ' .. lock
  end
  return table.concat(parts, ' ')
end

-- Tells a waiter that it is granted the lock, unless it asks; returns its token, or nil: it could not be told.
local function told(turn, name, id, waiter)
  if not hears(turn, name, id, waiter) then
    return nil
  end
  local token = next_token(turn, waiter)
  if asks(turn, name, id, waiter) then
    return token
  end
  local receipt = redis.pcall('PUBLISH', waiter.inbox, message(name, id, waiter, token))
  if type(receipt) == 'table' or (turn.receivers == '1' and receipt == 0) then
    turn.deaf[waiter.inbox] = true
    return nil
  end
  return token
end

-- Whether others may be granted what they want before a living waiter.
local function passable(turn, name, id, waiter)
  return (waiter.names and tonumber(waiter.pass) > turn.now) or not hears(turn, name, id, waiter)
end

local function last_seen(name)
  return tonumber(redis.call('HGET', name.wait, 'seen') or nil)
end

-- Some ids of a queue, and their records if there are any: the first alone, for most often it is granted.
local function page(name, offset)
  local ids = redis.call('ZRANGE', name.queue, offset, offset == 0 and 0 or offset + PAGE - 1)
  return ids, #ids > 0 and redis.call('HMGET', name.wait, unpack(ids))
end

-- Whether somebody who may not be passed stands before a request in one queue, or it does not stand there.
local function behind(turn, name, id)
  local seen, offset = last_seen(name), 0
  while offset < LOOK do
    local ids, records = page(name, offset)
    for i, other in ipairs(ids) do
      local waiter = readable(records[i])
      if other == id then
        return false
      elseif waiter and not turn.gone[other] and not late(waiter, turn.now) and not silent(waiter, seen)
        and not passable(turn, name, other, waiter) then
        return true
      end
    end
    if #ids == 0 then
      return true
    end
    offset = offset + #ids
  end
  return true
end

-- Whether a waiter of a free lock, before whom nobody is left in its queue, can take all that it wants.
local function may_take(turn, name, id, waiter)
  if not waiter.names then
    return true
  end
  if not fits(turn, waiter.names, id) then
    return false
  end
  for _, lock in ipairs(waiter.names) do
    if lock ~= name.lock and behind(turn, place(turn, lock), id) then
      return false
    end
  end
  return true
end

-- Looks through the queue of a free lock for the first request that can be granted, and tells it; changes nothing.
-- Returns {id, waiter, token}, or nil; those to remove; and why nobody was found: kept, for one who waits for others as
-- well; more, another call would come further.
local function choose(turn, name)
  -- A write before the message: where Redis refuses to write (a replica, no disk) the script ends here, before anybody is
  -- told of a grant that cannot be written; and a script that has written is not refused more memory.
  redis.call('ZREM', name.queue, '')
  local seen, gone, offset = last_seen(name), {}, 0
  while offset < LOOK do
    local ids, records = page(name, offset)
    if #ids == 0 then
      return nil, gone, nil
    end
    for i, id in ipairs(ids) do
      -- nil for a record that is not ours to read: it is neither granted nor removed
      local waiter = readable(records[i])
      if not records[i] or (waiter and not turn.mine[id] and (late(waiter, turn.now) or silent(waiter, seen))) then
        gone[#gone + 1] = { id = id, waiter = waiter }
        turn.gone[id] = waiter
      elseif waiter then
        local token = may_take(turn, name, id, waiter) and told(turn, name, id, waiter)
        if token then
          return { id = id, waiter = waiter, token = token }, gone, nil
        elseif not passable(turn, name, id, waiter) then
          return nil, gone, 'kept'
        end
      end
    end
    offset = offset + #ids
  end
  return nil, gone, #gone > 0 and 'more' or nil
end

-- Takes requests out of every queue that they stand in; one whose record is gone, out of that of the name.
local function remove(turn, name, those)
  local touched = {}
  for _, one in ipairs(those) do
    for _, lock in ipairs(one.waiter and one.waiter.names or { name.lock }) do
      touched[lock] = place(turn, lock)
      redis.call('ZREM', touched[lock].queue, one.id)
      redis.call('HDEL', touched[lock].wait, one.id)
    end
  end
  for _, each in pairs(touched) do
    if redis.call('EXISTS', each.queue) == 0 then
      redis.call('DEL', each.wait)
    end
  end
end

-- Writes a grant. The tokens that are kept, after an even one, are those with which its process passes the lock on by itself.
local function take(turn, locks, id, waiter, token)
  redis.call('SET', turn.fence, token % 2 == 0 and digits(token + wanted(waiter)) or token)
  for _, lock in ipairs(locks) do
    redis.call('HSET', lock, 'mode', 'x', 'id', id, 'token', token, 'owner', waiter.owner, 'label', waiter.label,
      'since', digits(turn.now))
    redis.call('PEXPIRE', lock, waiter.lease)
    turn.held[lock] = {
      mode = 'x',
      id = id,
      token = token,
      owner = waiter.owner,
      label = waiter.label,
      since = turn.now,
      left = tonumber(waiter.lease),
    }
  end
end

-- Hands a free lock to the first of its queue who can be granted it, if there is one; returns it, or nil and why not.
local function hand_over(turn, name)
  local chosen, gone, why = choose(turn, name)
  if chosen then
    gone[#gone + 1] = chosen
  end
  remove(turn, name, gone)
  if chosen then
    take(turn, chosen.waiter.names or { name.lock }, chosen.id, chosen.waiter, chosen.token)
  end
  return chosen, why
end
