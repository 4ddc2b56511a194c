/**
 * The smaller steps that Redis runs in one go: the lists of persons, the claim of a queue, the settings, and looks at what
 * is there. Listing begins with a removal: unlike an addition it works when the memory is full, and what was forgotten
 * then may have left a person to be listed.
 */
import { RedisScript } from "./connection.js";

/** KEYS head. ARGV stamp. Records that the buckets list the person; returns 0 if the person no longer exists. */
export const confirmListedScript = new RedisScript(`
for _, field in ipairs({'listed_persons', 'listed_queue', 'listed_expiries'}) do
  if redis.call('HGET', KEYS[1], field) == ARGV[1] then
    redis.call('HDEL', KEYS[1], field)
    redis.call('HSET', KEYS[1], field, '1')
  end
end
return redis.call('HEXISTS', KEYS[1], 'revision')
`);

/**
 * KEYS head, queue or expiries. ARGV their note in the head, their position among the counts. Returns 1 if the list is
 * empty; its next member then lists the person again. Returns 2 if it should not be empty: it was lost.
 */
export const unlistScript = new RedisScript(`
if redis.call('ZCARD', KEYS[2]) > 0 then return 0 end
local at = 0
for number in string.gmatch(redis.call('HGET', KEYS[1], 'counts') or '', '%S+') do
  at = at + 1
  if at == tonumber(ARGV[2]) and number ~= '0' then return 2 end
end
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
`);

/** KEYS lists of one bucket. ARGV person, mark. */
export const addEntryScript = new RedisScript(`
for _, list in ipairs(KEYS) do
  redis.call('ZREM', list, ARGV[1])
  redis.call('ZADD', list, ARGV[2], ARGV[1])
end
return 'OK'
`);

/** KEYS bucket. ARGV person, mark. Removes an entry unless it has been added again since. */
export const removeEntryScript = new RedisScript(`
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('ZREM', KEYS[1], ARGV[1]) end
return 0
`);

/** KEYS claim. ARGV owner, milliseconds. Takes or renews the claim; 0 while another owner has it. */
export const claimScript = new RedisScript(`
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);

/** KEYS claim. ARGV owner. Releases the owner's claim. */
export const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/** KEYS settings. ARGV fields and values of a new store. Returns the settings, the existing ones if there are any. */
export const openScript = new RedisScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
return redis.call('HGETALL', KEYS[1])
`);

/** KEYS head, lists in the order of counts.ts. Returns revision and counts of the head, then how long the lists are. */
export const countScript = new RedisScript(`
local found = redis.call('HMGET', KEYS[1], 'revision', 'counts')
for i = 2, #KEYS do table.insert(found, redis.call('ZCARD', KEYS[i])) end
return found
`);

/** KEYS list, rows. ARGV their ids. Returns the ids that are listed and have no row. */
export const missingScript = new RedisScript(`
local missing = {}
for i, id in ipairs(ARGV) do
  if redis.call('EXISTS', KEYS[i + 1]) == 0 and redis.call('ZSCORE', KEYS[1], id) then table.insert(missing, id) end
end
return missing
`);
