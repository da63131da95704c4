-- Derives tokens from the clock. All scripts that give tokens share this rule. dev.baton.lock.store.Tokens gives the reasons.

-- Returns the next token, and the highest token that is given or kept with it.
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
