-- What end_to_next and exchange_to_next share: who is next, where that is easily said, and the grant. Stands behind tokens and waiter.

-- The first of a queue: its id, its record, and who follows. nil unless it is a living waiter for this lock alone that is told by
-- a message and hears it, or that is of the process which reads the answer; nil as well if the holder stands in the queue. seen:
-- when an acquire was last seen, us; nil: as the wait key says. reader: what the ids of that process begin with; nil: none is
-- told so.
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

-- Tells a waiter that the lock is its own, unless the answer does, writes the grant, and returns its token and the highest; nil
-- if it could not be told: then only the expiry of the lock has changed, whose holder gives it back. There is a write before the
-- message, as in hand_over: where Redis refuses to write, nobody is told.
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
