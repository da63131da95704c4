-- Says what runs it, as far as a script can know (nothing before version 7; relatives of Redis say which Redis they are like), and
-- its time.
--
-- KEYS: none
-- ARGV: none
-- REPLY: {name, version; '' if the server does not say, time in seconds since 1970, and microseconds}
-- EVENT: none

local time = redis.call('TIME')
return { 'redis', redis.REDIS_VERSION or '', time[1], time[2] }
