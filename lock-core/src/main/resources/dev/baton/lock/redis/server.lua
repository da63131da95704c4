-- Says what runs it, as far as a script can know.
--
-- KEYS: none
-- ARGV: none
-- REPLY: {name, version; '' if the server does not say}
-- EVENT: none

local known, name, version = pcall(function()
  return server.SERVER_NAME, server.SERVER_VERSION
end)
if known and name and version then
  return { name, version }
end
return { 'redis', redis.REDIS_VERSION or '' }
