-- Reads and writes the text of a lock, which docs/storage.md describes, and derives tokens. The other libraries use these functions.

local function digits(number)
  return string.format('%.0f', number)
end

-- Returns the time of Redis's clock in microseconds.
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Returns the next token, and the highest token that is given or kept with it. dev.baton.lock.store.Tokens gives the reasons.
-- highest: the value of the fence; false: there is none. now: us. wanted: how many tokens after the next one to keep for its process.
-- Tokens are kept after an even token only. They reach no further ahead of the clock than the first token of a store that has lost
-- its data.
local function next_number(highest, now, wanted)
  local least = highest and math.max(now, highest + 1) or now + 2000
  local even = least + least % 2
  if wanted > 0 and even + wanted <= now + 2000 then
    return even, even + wanted
  end
  local odd = least + 1 - least % 2
  return odd, odd
end

-- Returns the text of a lock.
local function grant(head, token, now, holder)
  return head .. token .. ' ' .. digits(now) .. ' ' .. holder
end

-- Returns whether a lock is held by the request whose records begin with this head. value: the text of the lock; false: it is free.
local function held_by(value, head)
  return value and string.sub(value, 1, #head) == head
end
