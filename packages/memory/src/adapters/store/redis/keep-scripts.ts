/**
 * What is kept next to a graph, without a revision: scripts that skip memories which are no longer what they were.
 */
import { RedisScript } from "./connection.js";
import { sharedScript } from "./scripts.js";

/**
 * KEYS fixed, memories. ARGV settings, the revision that the tokens were made at, then for each memory its id, the number
 * of fields and values, then those. Skips memories that do not exist or have changed since.
 */
export const keepTokensScript = new RedisScript(`${sharedScript}
local refused = refusal({memories})
if refused then return refused end
for i = 8, #KEYS do redis.call('HLEN', KEYS[i]) end
local revision, at = tonumber(ARGV[4]), 5
for i = 8, #KEYS do
  local id, count = ARGV[at], tonumber(ARGV[at + 1])
  local changed = redis.call('ZSCORE', memories, id)
  if changed and tonumber(changed) <= revision then
    redis.call('HSET', KEYS[i], unpack(ARGV, at + 2, at + 1 + count))
  end
  at = at + 2 + count
end
return {'done'}
`);
