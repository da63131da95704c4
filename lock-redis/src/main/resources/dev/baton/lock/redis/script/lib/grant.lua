-- Reads and writes the texts of waiters and processes, and hands a lock to a waiter. Every script that grants a lock includes this
-- file after lib/lock. docs/storage.md describes all texts and keys.

-- Reads the record of a waiter. Returns its head (version, mode and id, with a space at the end), id, lease, patience, reserve,
-- "owner label", and the rest. Returns nil if this version cannot read the record.
local function parse(record)
  return string.match(record, '^(2 x ([^ ]*) )([1-9]%d*) (%-?%d+) (%d+) ([^ ]* [^ ]*)(.*)$')
end

-- Returns what the ids of all requests of a process begin with, which is the name of its field as well.
local function process_of(id)
  return string.match(id, '^.*:') or id
end

-- Returns the number of subscribers of an inbox, or nil if Redis does not report it. NUMSUB counts the subscribers of this very
-- channel. PUBLISH also counts monitors that subscribed to a pattern.
local function listeners(inbox)
  return redis.pcall('PUBSUB', 'NUMSUB', inbox)[2]
end

-- Returns whether an inbox certainly has no subscriber.
local function unheard(inbox)
  return listeners(inbox) == 0
end

-- Lets a key live for at least the given milliseconds from now. Returns how long it lives.
local function keep_alive(key, millis)
  local left = redis.call('PTTL', key)
  if left < millis then
    redis.call('PEXPIRE', key, millis)
    return millis
  end
  return left
end

-- Reads what is known of a process that waits. Returns until when it counts as alive, its span, since when it is known (all us), its
-- kind and its inbox; or nil if nothing is known.
local function read_process(text)
  if not text then
    return nil
  end
  local till, span, born, kind, inbox = string.match(text, '^(%d+) (%d+) (%d+) (%a) (.*)$')
  return tonumber(till), tonumber(span), tonumber(born), kind, inbox
end

-- Returns whether a process has been silent for its span within the present run. run: the text of the run, or false.
local function silent(till, span, run)
  if not run then
    return false
  end
  local seen, began = string.match(run, '^(%d+) (%d+)')
  return seen and tonumber(seen) > math.max(till, began + span)
end

-- Returns the fields of a process that waits for a name, and of the run.
local function known(wait, ids)
  return redis.call('HMGET', wait, ids, 'run')
end

-- Puts a request at the end of a queue, whatever the clock says. A request that is in the queue keeps its place, unless its process was
-- forgotten since. Returns whether the request has a new place, and whether the queue was empty.
-- text: the field of its process, or false.
local function stand(queue, record, text, now)
  local last = redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2]
  local at = digits(last and math.max(now, last + 1) or now)
  if redis.call('ZADD', queue, 'NX', at, record) == 1 then
    return true, not last
  end
  local _, _, born = read_process(text)
  if born and tonumber(redis.call('ZSCORE', queue, record)) >= born then
    return false, false
  end
  redis.call('ZADD', queue, at, record)
  return true, false
end

-- Says that a process which waits in a queue is alive. Returns whether its inbox has no subscriber. Does nothing and returns false if
-- the process said so less than a quarter of a recheck ago.
-- field: what known() returned. ids: what the ids of its requests begin with. process: its recheck (ms), kind and inbox.
-- empty: whether the queue was empty before.
local function hear(queue, wait, field, ids, process, now, empty)
  local till, span, born, kind = read_process(field[1])
  local recheck = 1000 * process.recheck
  if kind == 'm' and process.kind == 'm' and span >= 4 * recheck then
    local ago = now - till + span
    if ago >= 0 and 4 * ago <= recheck then
      if empty then
        keep_alive(queue, redis.call('PTTL', wait))
      end
      return false
    end
  end
  local seen, began, least
  if field[2] then
    seen, began, least = string.match(field[2], '^(%d+) (%d+) (%d+)')
  end
  if not seen or 2 * (now - seen) > 3 * math.min(least, recheck) then
    began, least = digits(now), recheck
  end
  if not till or till < now + 4 * recheck then
    till, span = now + 4 * recheck, 4 * recheck
  end
  redis.call('HSET', wait,
    ids, table.concat({ digits(till), digits(span), digits(born or now), process.kind, process.inbox }, ' '),
    'run', digits(now) .. ' ' .. began .. ' ' .. digits(math.min(least, recheck)))
  keep_alive(queue, keep_alive(wait, 14 * process.recheck))
  return unheard(process.inbox)
end

-- Reads the argument that describes a process.
local function process_from(text, kind)
  local recheck, inbox = string.match(text, '^(%d+) (.*)$')
  return { recheck = tonumber(recheck), inbox = inbox, kind = kind }
end

-- Puts a waiter that was taken from the front of its queue back. first: {record, arrival}.
local function put_back(queue, wait, first)
  redis.call('ZADD', queue, first[2], first[1])
  if redis.call('PTTL', queue) == -1 then
    -- The queue had no other waiter, so its expiry was lost. The hash expires at the same time as its queue.
    redis.call('PEXPIRE', queue, math.max(redis.call('PTTL', wait), 1000))
  end
end

-- Grants a lock to the waiter that was taken from the front of its queue, and notifies the waiter, if it is certain to learn of its
-- grant. Returns its id, token, record of the lock, lease, the highest token, and whether it is of the process that reads the reply.
-- Returns nil if the waiter is not of this simple kind. It then is in the queue as before, and the lock is unchanged.
-- The script has written before it sends a message: if Redis refuses writes, no waiter is notified of a grant that is not written.
-- A process that has not been heard for its span is left to the other cases: it is silent if this very script refreshes SEEN.
-- first: {record, arrival}. highest: the value of the fence. reader: what the ids of the process that reads the reply begin with; nil:
-- the reply notifies no request.
local function hand_to(first, lock, queue, wait, fence, highest, now, reader)
  local head, id, lease, patience, reserve, holder, rest = parse(first[1])
  if rest == '' and (patience == '-1' or first[2] + patience * 1000 > now) then
    local process = process_of(id)
    local field = known(wait, process)
    local till, span, born, kind, inbox = read_process(field[1])
    local own = process == reader
    if kind == 'm' and till >= now and tonumber(first[2]) >= born and not silent(till, span, field[2])
      and (own or (listeners(inbox) or 0) > 0) then
      local number, last = next_number(highest, now, tonumber(reserve))
      local token, kept = digits(number), digits(last)
      redis.call('SET', fence, kept)
      if own or type(redis.pcall('PUBLISH', inbox, 'grant 1 ' .. id .. ' ' .. token .. ' ' .. lock)) == 'number' then
        local text = grant(head, token, now, holder)
        redis.call('SET', lock, text, 'PX', lease)
        return id, token, text, lease, kept, own
      end
    end
  end
  put_back(queue, wait, first)
  return nil
end
