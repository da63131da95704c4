-- Reads locks, chooses the next holders, and puts requests into queues, in all cases. Scripts include this file after lib/grant and
-- lib/run, and after their usual case: each function that it defines costs time.
--
-- A request for permits shares a semaphore with the other requests that have some of its permits. It fits if as many permits as it asks
-- for are free. Other requests that fit may pass it for a while after its arrival, and always if it asks for more than the size of the
-- semaphore.
--
-- A writer asks for a lock in exclusive mode, and a reader in shared mode. A writer is granted a free lock. A reader is granted a lock
-- that is free, or shared by other readers, and so are the readers behind it, up to the first writer. A reader passes a writer only
-- if the lock is free and the writer cannot be notified; the hand-over then ends with that reader.
--
-- A request for several locks is in the queue of each, with one arrival time and the same record. It is granted all its locks in one
-- step, when all of them are free and every waiter before it in any of the queues may be passed. It passes a living request for one
-- lock only if that request cannot be notified.
-- For a while after its arrival, other requests that fit may be granted a free lock before it. After that time a free lock is kept
-- for it, unless it cannot be notified.
--
-- The script that hands over does not declare the queues of the other locks as keys. So only a server that has all keys can handle
-- requests for several locks, and a cluster cannot.
--
-- A request that awaits a condition is in the list of that condition, in the order of arrival. A signal moves it to the end of the
-- queue of its lock. If it is then removed without a grant, the same step passes its signal on. The lists are not declared as keys.

local PAGE = 64
local LOOK = 1024

-- Returns the state of one call. Its fields are tables:
-- mine: the requests whose caller reads the reply of this script, by id.
-- informed: what the ids of the process that learns of a grant from the reply begin with, by lock key.
-- held: the locks that were read, by lock key; false: free.
-- deaf: whether an inbox has no subscriber, by inbox.
-- processes: what is known of processes, by wait key, and then by what their ids begin with.
-- gone: the waiters to remove from all their queues, and those that were granted their locks, by id.
-- number: the number that all grants of readers in this call have, or nil before the first. A run has the number of its first grant
-- as its token.
-- places: the keys of a name, by its lock key.
-- size, set: of the semaphore, and whether an operator has set it; nil if it is no semaphore or has not been read. A script handles
-- one semaphore.
local function begin(name, fence)
  return { now = clock(), fence = fence, mine = {}, informed = {}, held = {}, deaf = {}, processes = {}, gone = {},
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

-- Removes the readers of a lock whose leases have ended. Returns whether others are left.
local function purge(lock, mode, now)
  local readers = reader_keys(lock)
  for _, id in ipairs(redis.call('ZRANGE', readers, '-inf', math.floor(now / 1000), 'BYSCORE')) do
    forget(lock, mode, id)
  end
  return redis.call('EXISTS', readers) == 1
end

-- Reads a lock. Returns nil if the lock is free.
local function read_lock(lock, now)
  local text = redis.call('GET', lock)
  if not text then
    return nil
  end
  local version, mode, id, token, since, holder = string.match(text, '^(%d+) (%a+) ([^ ]*) (%d+) (%d+) (.*)$')
  if version ~= '2' then
    local other = string.match(text, '^(%d+) ')
    error('storage format ' .. (other ~= '2' and other or 'unknown') .. ' of lock ' .. lock)
  end
  if (mode == 's' or mode == 'p') and not purge(lock, mode, now) then
    return nil
  end
  return { text = text, mode = mode, id = id, token = token, since = tonumber(since), holder = holder, left = redis.call('PTTL', lock) }
end

-- Returns the same as read_lock, but reads each lock only once per call.
local function look(turn, lock)
  if turn.held[lock] == nil then
    turn.held[lock] = read_lock(lock, turn.now) or false
  end
  return turn.held[lock] or nil
end

-- Returns whether readers share a lock.
local function is_shared(turn, lock)
  local held = look(turn, lock)
  return held ~= nil and (held.mode == 's' or held.mode == 'p')
end

-- Returns how many more permits of a semaphore may be in use, which is negative if its size has become smaller.
-- own: the size that the process of the waiter states, perhaps not lately. Only an operator can set a larger one.
local function vacant(turn, lock, own)
  if not turn.size then
    turn.size, turn.set = size_of(lock, turn.now)
  end
  local size = turn.set and turn.size or math.min(turn.size or own, own)
  return size - (look(turn, lock) and used_of(lock) or 0)
end

-- Returns a lock as replies describe it. A shared lock is described by the reader whose lease ends last, with the token of the run. A
-- semaphore is described by the reader whose lease ends first: then some of its permits are free.
local function seen(turn, lock)
  local held = look(turn, lock)
  local text, left = held.text, held.left
  if is_shared(turn, lock) then
    local readers, reader = reader_keys(lock)
    local one = redis.call('ZRANGE', readers, 0, 0, 'WITHSCORES')
    if held.mode == 's' then
      one = redis.call('ZREVRANGE', readers, 0, 0)
    else
      left = one[2] - math.floor(turn.now / 1000)
    end
    local token, rest = string.match(redis.call('HMGET', reader, one[1])[1] or '', '^(%d+)( .*)$')
    text = '2 ' .. held.mode .. ' ' .. one[1] .. ' ' .. (held.mode == 'p' and token or held.token)
      .. (rest or ' ' .. digits(held.since) .. '  ')
  end
  return { text, turn.now, left }
end

-- Returns whether a request holds a lock, alone or with other readers.
local function holds(turn, lock, id)
  local held = look(turn, lock)
  if is_shared(turn, lock) then
    return is_reading(lock, id, turn.now)
  end
  return held ~= nil and held.mode == 'x' and held.id == id
end

-- Returns the positions in the list of the locks that a request does not hold.
local function lacking(turn, locks, id)
  local missing = {}
  for i, lock in ipairs(locks) do
    if not holds(turn, lock, id) then
      missing[#missing + 1] = i
    end
  end
  return missing
end

-- Returns the token of a request that holds all of these locks. A reader has its own in what it shows to people.
local function token_of(turn, locks, id)
  local held = look(turn, locks[1])
  local _, reader = reader_keys(locks[1])
  local shown = is_shared(turn, locks[1]) and redis.call('HMGET', reader, id)[1]
  return shown and string.match(shown, '^%d+') or held.token
end

-- Returns the mode in which a request asks for a lock.
local function mode_of(waiter, lock)
  return waiter.modes and waiter.modes[lock] or waiter.mode
end

-- Returns whether a request can be granted all the locks. A request for several locks may itself hold some of them, if the others
-- were deleted.
local function fits(turn, locks, waiter)
  for _, lock in ipairs(locks) do
    local held = look(turn, lock)
    if waiter.count then
      return (not held or held.mode == 'p') and waiter.count <= vacant(turn, lock, waiter.size)
    end
    local together = held and held.mode == 's' and mode_of(waiter, lock) == 's'
    if held and not together and not holds(turn, lock, waiter.id) then
      return false
    end
  end
  return true
end

-- Returns the token with which a request is granted a lock now, and keeps it and so many tokens after it from all others.
-- The script writes here before it sends a message: if Redis refuses writes (on a replica, or without a disk), the script ends before
-- it notifies a waiter of a grant that it cannot write. Once a script has written, Redis does not refuse it more memory.
local function reserve_token(turn, wanted)
  local number, last = next_number(redis.call('GET', turn.fence), turn.now, wanted)
  redis.call('SET', turn.fence, digits(last))
  return digits(number)
end

-- Returns the token with which a request is granted its locks now: that of the run for a reader of one lock, else a new number. Each
-- request for permits has one of its own.
local function next_token(turn, locks, waiter, wanted)
  if waiter.mode ~= 's' then
    return reserve_token(turn, wanted)
  end
  turn.number = turn.number or reserve_token(turn, 0)
  return #locks == 1 and look(turn, locks[1]) and look(turn, locks[1]).token or turn.number
end

-- Makes a request one of the readers of a lock. The first begins a run, and removes what is left of earlier runs.
local function share(turn, lock, waiter, token)
  local readers, reader = reader_keys(lock)
  if not look(turn, lock) then
    redis.call('DEL', readers, reader)
    redis.call('SET', lock, grant('2 ' .. waiter.mode .. '  ', token, turn.now, ' '))
    turn.held[lock] = { mode = waiter.mode, token = token }
  end
  local shown = grant('', token, turn.now, waiter.holder)
  if waiter.count then
    use(lock, waiter.count)
    if not turn.mine[waiter.id] then
      -- Its process states its size as long as it has the permits, although it does not ask just now.
      stand_for(lock, digits(waiter.size), turn.now, waiter.lease)
      turn.size = nil
    end
    shown = table.concat({ shown, digits(waiter.count), digits(waiter.size) }, ' ')
  end
  redis.call('HSET', reader, waiter.id, shown)
  turn.held[lock].left = read_for(lock, waiter.id, turn.now, waiter.lease)
end

-- Writes a grant.
local function take(turn, locks, waiter, token)
  for _, lock in ipairs(locks) do
    if mode_of(waiter, lock) ~= 'x' then
      share(turn, lock, waiter, token)
    else
      local text = grant('2 x ' .. waiter.id .. ' ', token, turn.now, waiter.holder)
      redis.call('SET', lock, text, 'PX', waiter.lease)
      turn.held[lock] = { text = text, mode = 'x', id = waiter.id, token = token, since = turn.now, holder = waiter.holder,
        left = tonumber(waiter.lease) }
    end
  end
end

-- Removes a reader from a lock. The lock is free after the last.
local function stop_reading(turn, lock, id)
  forget(lock, look(turn, lock).mode, id)
  if redis.call('EXISTS', (reader_keys(lock))) == 1 then
    expire_with_last(lock, turn.now)
  else
    turn.held[lock] = false
  end
end

local function unescaped(text)
  return (string.gsub(string.gsub(text, '%%20', ' '), '%%25', '%%'))
end

-- Returns a waiter, or nil if this version cannot read its record. arrival: us; nil: it is not in a queue. Mode 'c' is that of a writer
-- that has been signalled, or will be, and the text of its lock says so, too. Its record without a signal is in 'unsignalled'.
local function readable(record, arrival)
  local mode, id, lease, patience, reserve, holder, rest =
    string.match(record, '^2 ([xscp]) ([^ ]*) ([1-9]%d*) (%-?%d+) (%d+) ([^ ]* [^ ]*)(.*)$')
  local condition = mode == 'c' and string.match(rest, '^ ([%w._-]+)') or nil
  local unsignalled
  if condition then
    unsignalled = table.concat({ '2 x', id, lease, patience, reserve, holder }, ' ')
    mode, holder, rest = 'x', holder .. ' ' .. condition, ''
  elseif not mode or mode == 'c' then
    return nil
  end
  local waiter = { record = record, mode = mode, id = id, lease = lease, patience = tonumber(patience), reserve = tonumber(reserve),
    holder = holder, arrival = tonumber(arrival), condition = condition,
    unsignalled = unsignalled }
  local pass, keys = string.match(rest, '^ (%d+) (.+)$')
  if mode == 'p' then
    local count, size = string.match(keys or '', '^([1-9]%d*) ([1-9]%d*)')
    if not count then
      return nil
    end
    waiter.pass, waiter.count, waiter.size = tonumber(pass), tonumber(count), tonumber(size)
  elseif pass then
    waiter.pass, waiter.names, waiter.modes = tonumber(pass), {}, {}
    -- Each key of a request in shared mode has a mode of its own before it.
    for own, key in string.gmatch(keys, mode == 's' and '([xs]) ([^ ]+)' or '()([^ ]+)') do
      waiter.names[#waiter.names + 1] = unescaped(key)
      waiter.modes[unescaped(key)] = mode == 's' and own
    end
  end
  return waiter
end

-- Returns what is known of the process of a waiter for a name: {gone, since when it is known, kind, inbox, asking until (us)}. A process
-- is gone if nothing is known of it, or if it has been silent for its span.
local function process_at(turn, name, waiter)
  local ids = process_of(waiter.id)
  local processes = turn.processes[name.wait] or {}
  turn.processes[name.wait] = processes
  if not processes[ids] then
    local field = known(name.wait, ids)
    local till, span, born, kind, inbox = read_process(field[1])
    if not till or silent(till, span, field[2]) then
      redis.call('HDEL', name.wait, ids)
      processes[ids] = { gone = true }
    else
      processes[ids] = { born = born, kind = kind, inbox = inbox, asking = till - span * 11 / 16 }
    end
  end
  return processes[ids]
end

-- Returns whether the process of a waiter is gone, or was gone since the waiter came.
local function dead_at(turn, name, waiter)
  local process = process_at(turn, name, waiter)
  return process.gone or waiter.arrival < process.born
end

-- Returns whether a waiter is to be removed: its process is dead, or its time is over.
local function over_at(turn, name, waiter)
  if turn.mine[waiter.id] then
    return false
  end
  return dead_at(turn, name, waiter)
    or (waiter.patience >= 0 and waiter.arrival + waiter.patience * 1000 <= turn.now)
end

-- Returns whether the reply notifies a waiter of its grant. It names one grant, so readers of a lock are notified by a message.
local function is_informed(turn, name, waiter)
  return not waiter.names and waiter.mode == 'x' and process_of(waiter.id) == turn.informed[name.lock]
end

-- Returns whether a waiter learns of a grant without a message. A waiter that polls does only if its process has asked in time: it may
-- be gone otherwise, and is granted a lock only if it can be notified.
local function asks(turn, name, waiter)
  if turn.mine[waiter.id] or is_informed(turn, name, waiter) then
    return true
  end
  local process = process_at(turn, name, waiter)
  return process.kind == 'p' and turn.now <= process.asking
end

-- Returns whether a waiter would learn of a grant, as far as the script knows before it sends the message.
local function hears(turn, name, waiter)
  if asks(turn, name, waiter) then
    return true
  end
  local inbox = process_at(turn, name, waiter).inbox
  if inbox and turn.deaf[inbox] == nil then
    turn.deaf[inbox] = unheard(inbox)
  end
  return inbox and not turn.deaf[inbox]
end

local function message(turn, name, waiter, token)
  local parts = { 'grant 2 ' .. waiter.id .. ' ' .. token }
  if waiter.mode == 's' then
    parts = { 'grant 3 ' .. waiter.id .. ' ' .. token .. ' ' .. turn.number }
  elseif not waiter.names then
    return 'grant 1 ' .. waiter.id .. ' ' .. token .. ' ' .. name.lock
  end
  for _, lock in ipairs(waiter.names or { name.lock }) do
    parts[#parts + 1] = #lock .. ' ' .. lock
  end
  return table.concat(parts, ' ')
end

-- Notifies a waiter of its grant, unless the waiter polls or reads the reply. Returns its token, or nil if it could not be notified.
local function notify(turn, name, waiter)
  if not hears(turn, name, waiter) then
    return nil
  end
  local token = next_token(turn, waiter.names or { name.lock }, waiter, waiter.reserve)
  if asks(turn, name, waiter) then
    return token
  end
  local inbox = process_at(turn, name, waiter).inbox
  local receipt = redis.pcall('PUBLISH', inbox, message(turn, name, waiter, token))
  if type(receipt) == 'table' or receipt == 0 then
    turn.deaf[inbox] = true
    return nil
  end
  return token
end

-- Returns whether other requests may pass a waiter for several locks or permits, because it has not waited for long.
local function is_patient(turn, waiter)
  return waiter.pass and waiter.pass > 0 and waiter.arrival + waiter.pass * 1000 > turn.now
end

-- Returns whether no reader may pass a waiter on a shared lock, even if the waiter cannot be notified. With enough readers, it would
-- wait for ever.
local function keeps_readers_out(turn, name, waiter)
  return mode_of(waiter, name.lock) == 'x' and not is_patient(turn, waiter)
end

-- Returns whether other requests may be granted their locks before a living waiter.
local function passable(turn, name, waiter)
  if is_shared(turn, name.lock) and keeps_readers_out(turn, name, waiter) then
    return false
  end
  if waiter.count and waiter.count > (turn.size or waiter.size) then
    return true
  end
  return is_patient(turn, waiter) or not hears(turn, name, waiter)
end

-- Returns some waiters of a queue, and how many records they are. The first page has one record, because that request is usually
-- granted the lock. A record that this version cannot read is false. Its request is neither granted nor removed.
local function page(name, offset)
  local read = redis.call('ZRANGE', name.queue, offset, offset == 0 and 0 or offset + PAGE - 1, 'WITHSCORES')
  local waiters = {}
  for i = 1, #read, 2 do
    waiters[#waiters + 1] = readable(read[i], read[i + 1]) or false
  end
  return waiters
end

-- Returns the list of a condition, as a queue whose processes are those of the queue of its lock.
local function list_of(name, condition)
  local list = string.gsub(name.lock, ':lock:', ':cond:', 1)
  return { queue = list .. ':' .. condition, wait = name.wait }
end

-- Returns the waiters of a condition to signal, and those that are dead. Signals the first ones that can be notified, and otherwise
-- the first ones.
-- most: how many to signal. owner: the only owner to signal; '': any.
local function choose_signalled(turn, list, most, owner)
  local chosen, deaf, dead, offset = {}, {}, {}, 0
  while #chosen < most do
    local waiters = page(list, offset)
    if #waiters == 0 then
      break
    end
    for _, waiter in ipairs(waiters) do
      if #chosen == most then
        break
      elseif waiter and dead_at(turn, list, waiter) then
        dead[#dead + 1] = waiter
      elseif waiter and (owner == '' or string.match(waiter.holder, '^[^ ]*') == owner) then
        local into = hears(turn, list, waiter) and chosen or deaf
        into[#into + 1] = waiter
      end
    end
    offset = offset + #waiters
  end
  for i = 1, math.min(#deaf, most - #chosen) do
    chosen[#chosen + 1] = deaf[i]
  end
  return chosen, dead
end

-- Moves waiters of a condition to the end of the queue of their lock, and removes the dead ones before them. Returns how many were
-- moved. The parameters are those of choose_signalled.
local function signal(turn, name, condition, most, owner)
  local list = list_of(name, condition)
  local chosen, dead = choose_signalled(turn, list, most, owner)
  for _, waiter in ipairs(dead) do
    redis.call('ZREM', list.queue, waiter.record)
  end
  for _, waiter in ipairs(chosen) do
    redis.call('ZREM', list.queue, waiter.record)
    stand(name.queue, waiter.record, false, turn.now)
  end
  keep_alive(name.queue, redis.call('PTTL', name.wait))
  return #chosen
end

-- Passes the signal of a waiter on that is removed without a grant.
local function pass_signal_on(turn, name, waiter)
  if waiter.condition then
    signal(turn, name, waiter.condition, 1, '')
  end
end

-- Returns whether a waiter that may not be passed is before a request in one queue, or the request is not found there.
local function is_behind_waiter(turn, name, id)
  local offset = 0
  while offset < LOOK do
    local waiters = page(name, offset)
    for _, waiter in ipairs(waiters) do
      if waiter and waiter.id == id then
        return false
      elseif waiter and not turn.gone[waiter.id] and not over_at(turn, name, waiter) and not passable(turn, name, waiter) then
        return true
      end
    end
    if #waiters == 0 then
      return true
    end
    offset = offset + #waiters
  end
  return true
end

-- Returns whether a waiter can take all its locks. Every waiter before it in this queue is gone or may be passed.
local function may_take(turn, name, waiter)
  if not fits(turn, waiter.names or { name.lock }, waiter) then
    return false
  end
  for _, lock in ipairs(waiter.names or {}) do
    if lock ~= name.lock and is_behind_waiter(turn, place(turn, lock), waiter.id) then
      return false
    end
  end
  return true
end

-- Removes requests from every queue that they are in.
local function remove(turn, name, those)
  for _, waiter in ipairs(those) do
    for _, lock in ipairs(waiter.names or { name.lock }) do
      redis.call('ZREM', place(turn, lock).queue, waiter.record)
    end
  end
end

-- Goes through the queue of a lock that is free or shared, and grants it to the first request that can be granted it. If that is a
-- reader, goes on to the requests behind it. Grants are written and notified, but their requests are not removed yet.
-- Returns three values: the granted requests with their tokens; these and the requests that are over, which are to be removed; and
-- why the search ended, or nil if it came to the end of the queue or to a writer that was granted the lock. The reason is 'kept' if
-- others must not be granted the lock now, because a waiter comes first, and 'more' if another call would get further.
local function choose(turn, name)
  local chosen, gone, offset, passed_writer = {}, {}, 0, false
  while offset < LOOK do
    local waiters = page(name, offset)
    if #waiters == 0 then
      return chosen, gone, nil
    end
    for _, waiter in ipairs(waiters) do
      if waiter and over_at(turn, name, waiter) then
        gone[#gone + 1] = waiter
        turn.gone[waiter.id] = waiter
        pass_signal_on(turn, name, waiter)
      elseif waiter then
        waiter.token = may_take(turn, name, waiter) and notify(turn, name, waiter)
        if waiter.token then
          take(turn, waiter.names or { name.lock }, waiter, waiter.token)
          chosen[#chosen + 1] = waiter
          gone[#gone + 1] = waiter
          turn.gone[waiter.id] = waiter
          if not is_shared(turn, name.lock) then
            return chosen, gone, nil
          elseif passed_writer then
            return chosen, gone, 'kept'
          elseif waiter.count and vacant(turn, name.lock, waiter.size) <= 0 then
            return chosen, gone, nil
          end
        elseif not passable(turn, name, waiter) then
          return chosen, gone, 'kept'
        else
          passed_writer = passed_writer or keeps_readers_out(turn, name, waiter)
        end
      end
    end
    offset = offset + #waiters
  end
  return chosen, gone, #gone > 0 and 'more' or nil
end

-- Hands a lock that is free or shared to the first requests in its queue that can be granted it. Returns them, and the reason.
local function hand_over(turn, name)
  local chosen, gone, why = choose(turn, name)
  remove(turn, name, gone)
  return chosen, why
end

-- Returns whether a hand-over may grant a lock to a waiter.
local function is_open(turn, lock)
  local held = look(turn, lock)
  return not held or held.mode == 's' or (held.mode == 'p' and vacant(turn, lock, math.huge) > 0)
end

-- Returns one arrival time of a request for all its queues, after the requests in each of them. If the request already is in one of
-- the queues, it keeps its time, unless its process was forgotten since.
-- born: the time since when the process is known for all the names.
local function arrival(turn, names, one, born)
  local last = turn.now - 1
  for _, name in ipairs(names) do
    local at = tonumber(redis.call('ZSCORE', name.queue, one.record))
    if at and at >= born then
      return at
    end
    last = math.max(last, tonumber(redis.call('ZREVRANGE', name.queue, 0, 0, 'WITHSCORES')[2] or '0'))
  end
  return last + 1
end

-- Lets all requests join the queues in this order, or keep their places. Returns whether they cannot be notified, and whether some
-- have a new place in one of the queues.
local function join(turn, names, waiting, process)
  local ids, fresh, born, empty, fields = process_of(waiting[1].id), false, 0, {}, {}
  for i, name in ipairs(names) do
    empty[i] = redis.call('EXISTS', name.queue) == 0
    fields[i] = known(name.wait, ids)
    local _, _, since = read_process(fields[i][1])
    born = math.max(born, since or turn.now)
  end
  for _, one in ipairs(waiting) do
    local at = arrival(turn, names, one, born)
    for _, name in ipairs(names) do
      fresh = redis.call('ZADD', name.queue, 'CH', digits(at), one.record) == 1 or fresh
    end
  end
  local deaf = false
  for i, name in ipairs(names) do
    deaf = hear(name.queue, name.wait, fields[i], ids, process, turn.now, empty[i]) or deaf
  end
  return deaf, fresh
end

-- Says that a process is alive whose requests are in these lists. Returns whether its inbox has no subscriber.
local function hear_in_lists(turn, name, lists, ids, process)
  local deaf = hear(name.queue, name.wait, known(name.wait, ids), ids, process, turn.now, true)
  for _, list in ipairs(lists) do
    keep_alive(list.queue, redis.call('PTTL', name.wait))
  end
  return deaf
end

-- Returns whether the request that holds a lock was signalled.
local function was_signalled(turn, lock)
  return string.match(look(turn, lock).holder, '^[^ ]* [^ ]* [%w._-]+') ~= nil
end
