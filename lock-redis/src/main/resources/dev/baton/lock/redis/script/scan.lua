-- Scans some of the keys of the database, and returns those that match a pattern.
--
-- KEYS: none
-- ARGV: cursor, where to continue; 0: at the beginning
--       pattern, glob of the keys
--       count, about how many keys to scan, > 0
-- REPLY: {next, found}
--       next, where to continue; 0: the scan is complete
--       found, the keys; a scan may return a key more than once
-- EVENT: none

local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', count)
return { page[1], page[2] }
