-- Goes through some of the keys of the database and names those that are like a pattern.
--
-- KEYS: none
-- ARGV: cursor, where to go on; 0: at the beginning
--       pattern, glob of the keys
--       count, about how many keys to go through, > 0
-- REPLY: {next, found}
--       next, where to go on; 0: that was the last
--       found, the keys, some perhaps again
-- EVENT: none

local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]

local page = redis.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', count)
return { page[1], page[2] }
