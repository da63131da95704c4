-- What all scripts that grant share: the rule by which tokens are made of the clock. dev.baton.lock.store.Tokens says why.

-- The next token, and the highest given or kept with it. highest: the value of the fence, false: there is none; now: us;
-- wanted: how many tokens after it are to be kept for its process. They are where the token is even, and only where they reach
-- no further ahead of the clock than a store that has lost its data begins.
local function next_number(highest, now, wanted)
  local least = highest and math.max(now, highest + 1) or now + 2000
  local even = least + least % 2
  if wanted > 0 and even + wanted <= now + 2000 then
    return even, even + wanted
  end
  local odd = least + 1 - least % 2
  return odd, odd
end
