-- Returns the name and the version of the server, as far as a script can know them, and the server's time.
--
-- Before version 7 a script cannot know the version. A relative of Redis gives the version of Redis that it is compatible with.
--
-- KEYS: none
-- ARGV: none
-- REPLY: {name, version; '' if the server does not give it, time in seconds since 1970, and microseconds}
-- EVENT: none

local time = redis.call('TIME')
return { 'redis', redis.REDIS_VERSION or '', time[1], time[2] }
