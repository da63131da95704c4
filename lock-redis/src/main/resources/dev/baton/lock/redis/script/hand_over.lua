-- Reads locks, chooses the next holder, and writes grants. The scripts acquire, end, exchange, force_release and inspect share it.
-- They include it after tokens and waiter.
--
-- Lock key (hash): mode (x: exclusive), id (empty: the request has ended, and the lock is kept from others for a while), token,
-- owner, label, since (us). A lock in an unknown mode counts as held by another request.
-- Wait key (hash): request id -> waiter record (JSON, numbers as text, unknown fields kept), seen -> last acquire (us).
-- Times are microseconds of Redis's own clock. Leases are milliseconds.
--
-- A request for several locks is in the queue of each, with one arrival time. Its record is the same in each. The record has all
-- lock keys (names) and the time until which other requests may pass it (pass).
-- The request is granted all its locks in one step, when all of them are free and every waiter before it in any of the queues may be
-- passed. It passes a living request for one lock only if that request cannot be notified.
-- Until the time in pass, other requests that fit may be granted a free lock before it. After that time a free lock is kept for it,
-- unless it cannot be notified.
--
-- The script that hands over does not declare the queues of the other locks as keys. So only a server that has all keys can handle
-- requests for several locks, and a cluster cannot.

local PAGE = 64
local LOOK = 1024

local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- Returns the state of one call. Its fields are tables:
-- mine: the requests whose caller reads the reply of this script, by id.
-- readers: the prefix of the ids of the process that learns of a grant from the reply, by lock key.
-- held: the locks that were read, by lock key; false: free.
-- deaf: whether an inbox has no subscriber, by inbox.
-- gone: the waiters to remove from all their queues, by id.
-- places: the keys of a name, by its lock key.
local function begin(name, fence, receivers)
  return { now = clock(), fence = fence, receivers = receivers, mine = {}, readers = {}, held = {}, deaf = {}, gone = {},
    places = { [name.lock] = name } }
end

-- Returns the keys of a name. The first ':lock:' in the lock key is the kind, because only the first name of a namespace may be a
-- kind, and that name has no colon before it.
local function place(turn, lock)
  if not turn.places[lock] then
    turn.places[lock] = { lock = lock, queue = string.gsub(lock, ':lock:', ':queue:', 1),
      wait = string.gsub(lock, ':lock:', ':wait:', 1) }
  end
  return turn.places[lock]
end

-- Reads a lock. Returns nil if the lock is free.
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

-- Returns the same as read_lock, but reads each lock only once per call.
local function look(turn, lock)
  if turn.held[lock] == nil then
    turn.held[lock] = read_lock(lock) or false
  end
  return turn.held[lock] or nil
end

local function held_by(held, id)
  return held ~= nil and held.mode == 'x' and held.id == id
end

-- Returns the positions in the list of the locks that a request does not hold.
local function lacking(turn, locks, id)
  local missing = {}
  for i, lock in ipairs(locks) do
    if not held_by(look(turn, lock), id) then
      missing[#missing + 1] = i
    end
  end
  return missing
end

-- Returns whether no other request holds any of the locks. A request for several locks may itself hold some of them, if the others
-- were deleted.
local function fits(turn, locks, id)
  for _, lock in ipairs(locks) do
    local held = look(turn, lock)
    if held and not held_by(held, id) then
      return false
    end
  end
  return true
end

-- Returns how many tokens to keep for the process of a waiter.
local function wanted(waiter)
  return tonumber(waiter.reserve or '0')
end

-- Returns the token with which a waiter is granted a lock now.
local function next_token(turn, waiter)
  local number = next_number(redis.call('GET', turn.fence), turn.now, wanted(waiter))
  return digits(number)
end

-- Returns the record of a waiter, or nil if the text is no such record.
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

-- Returns whether a waiter has not repeated its acquire for three rechecks. The time counts up to the last acquire of any request
-- for the lock, not up to now: after an outage of Redis every waiter would look silent.
local function silent(waiter, seen)
  return seen ~= nil and tonumber(waiter.alive) < seen
end

-- Returns whether an inbox certainly has no subscriber. NUMSUB counts the subscribers of this very channel. PUBLISH also counts
-- monitors that subscribed to a pattern.
local function unheard(inbox, receivers)
  if receivers ~= '1' then
    return false
  end
  local subscribers = redis.pcall('PUBSUB', 'NUMSUB', inbox)
  return not subscribers.err and subscribers[2] == 0
end

-- Returns whether the reply notifies a waiter of its grant.
local function is_reader(turn, name, id, waiter)
  return not waiter.names and is_of(turn.readers[name.lock], id)
end

-- Returns whether a waiter polls and has asked in time. A waiter that has not may be gone, so it is granted a lock only if it can be
-- notified.
local function polls(turn, waiter)
  return waiter.kind == 'poll' and turn.now <= (tonumber(waiter.asks) or 0)
end

local function asks(turn, name, id, waiter)
  return turn.mine[id] or polls(turn, waiter) or is_reader(turn, name, id, waiter)
end

-- Returns whether a waiter would learn of a grant, as far as the script knows before it sends the message.
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

-- Notifies a waiter of its grant, unless the waiter polls or reads the reply. Returns its token, or nil if it could not be notified.
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

-- Returns whether other requests may be granted their locks before a living waiter.
local function passable(turn, name, id, waiter)
  return (waiter.names and tonumber(waiter.pass) > turn.now) or not hears(turn, name, id, waiter)
end

local function last_seen(name)
  return tonumber(redis.call('HGET', name.wait, 'seen') or nil)
end

-- Returns some ids of a queue, and their records if there are any. The first page has one id, because that request is usually
-- granted the lock.
local function page(name, offset)
  local ids = redis.call('ZRANGE', name.queue, offset, offset == 0 and 0 or offset + PAGE - 1)
  return ids, #ids > 0 and redis.call('HMGET', name.wait, unpack(ids))
end

-- Returns whether a waiter that may not be passed is before a request in one queue, or the request is not found there.
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

-- Returns whether a waiter can take all its locks. The lock of this queue is free, and every waiter before it in this queue is gone
-- or may be passed.
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

-- Finds the first request in the queue of a free lock that can be granted the lock, and notifies it. Changes no key.
-- Returns three values: {id, waiter, token}, or nil if no request was found; the requests to remove; and the reason if none was
-- found. The reason is 'kept' if the lock is kept for a waiter that waits for other locks as well, and 'more' if another call would
-- get further.
local function choose(turn, name)
  -- The script writes before it sends a message. If Redis refuses writes (on a replica, or without a disk), the script ends here,
  -- before it notifies a waiter of a grant that it cannot write. Once a script has written, Redis does not refuse it more memory.
  redis.call('ZREM', name.queue, '')
  local seen, gone, offset = last_seen(name), {}, 0
  while offset < LOOK do
    local ids, records = page(name, offset)
    if #ids == 0 then
      return nil, gone, nil
    end
    for i, id in ipairs(ids) do
      -- A record that this version cannot read gives nil. Its request is neither granted nor removed.
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

-- Removes requests from every queue that they are in. A request without a record is removed from the queue of the name only.
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

-- Writes a grant. After an even token, tokens are kept for its process, which uses them to pass the lock on among its own callers.
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

-- Hands a free lock to the first request in its queue that can be granted it. Returns that request, or nil and the reason.
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
