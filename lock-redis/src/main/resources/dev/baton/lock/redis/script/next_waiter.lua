-- Finds the next holder in the simple case, and grants it the lock. The scripts end_to_next and exchange_to_next share it. It comes
-- after tokens and waiter.

-- Returns the first request of a queue: its id, its record, the id that follows, and whether it is of the process that reads the
-- reply. Returns nil unless the request is a living waiter of kind message for this lock alone, and either has an inbox with a
-- subscriber or is of that process. Also returns nil if the holder has a waiter record.
-- seen: the time of the last acquire, us; nil: the time in the wait key.
-- reader: the prefix of the ids of the process that reads the reply; nil: the reply notifies no request.
local function next_heard(queue, wait, holder, now, seen, reader)
  local ids = redis.call('ZRANGE', queue, 0, 1)
  local own = ids[1] and is_of(reader, ids[1])
  local field = ids[1] and redis.call('HMGET', wait, ids[1], 'seen', holder) or {}
  local _, waiter = pcall(cjson.decode, field[1])
  if not field[3] and type(waiter) == 'table' and waiter.kind == 'message' and not waiter.names
    and waiter.inbox and waiter.owner and waiter.label and tonumber(waiter.lease) and tonumber(waiter.reserve or '0')
    and (waiter.deadline == '0' or (tonumber(waiter.deadline) or 0) > now)
    and (tonumber(waiter.alive) or -1) >= (seen or tonumber(field[2]) or 0) and (own or (listeners(waiter.inbox) or 0) > 0) then
    return { id = ids[1], record = waiter, followed = ids[2], own = own }
  end
  return nil
end

-- Notifies a waiter of its grant, unless the reply does, and writes the grant. Returns its token and the highest token. Returns nil
-- if the waiter could not be notified. Then only the expiry of the lock has changed, and its holder is giving it back.
-- As in hand_over, the script writes before it sends a message: if Redis refuses writes, no waiter is notified.
local function pass_on(lock, fence, chosen, now)
  local waiter = chosen.record
  local number, last = next_number(redis.call('GET', fence), now, tonumber(waiter.reserve or 0))
  local token = digits(number)
  redis.call('PEXPIRE', lock, waiter.lease)
  local receipt = chosen.own and 1 or redis.pcall('PUBLISH', waiter.inbox, 'grant 1 ' .. chosen.id .. ' ' .. token .. ' ' .. lock)
  if type(receipt) ~= 'number' then
    return nil
  end
  local highest = digits(last)
  redis.call('SET', fence, highest)
  redis.call('HSET', lock, 'id', chosen.id, 'token', token, 'owner', waiter.owner, 'label', waiter.label, 'since', digits(now))
  return token, highest
end
