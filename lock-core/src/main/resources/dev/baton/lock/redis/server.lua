-- Says what runs it, as far as a script can know: nothing before version 7; relatives of Redis say which Redis they are like.
--
-- KEYS: none
-- ARGV: none
-- REPLY: {name, version; '' if the server does not say}
-- EVENT: none

return { 'redis', redis.REDIS_VERSION or '' }
