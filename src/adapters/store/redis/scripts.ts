/**
 * Changes to a person, as scripts that Redis runs in one step. Each checks everything it needs before its first write,
 * so it does all or nothing; each names all its keys, which are in one slot. The first seven keys are always
 * PersonKeys.fixed.
 *
 * A revision is the server's time in microseconds, or slightly more than the last one if that clock is behind. It
 * grows, and it does not repeat when a person is forgotten and comes back, or when a replica takes over that missed the
 * last revisions; a pseudo-random step sees to that. `revisions` holds the latest; a reader at any other revision loads
 * everything.
 *
 * `listed` and `queue_listed` of the head say whether the buckets list the person: 1, or the stamp of the call that is
 * about to list them (persons.ts).
 */
import { RedisScript } from "./connection.js";

/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const revisionsKept = 100;

const shared = `
local head, history, queue, memories, edges, removed, revisions = unpack(KEYS, 1, 7)

local function digits(number) return string.format('%.0f', number) end

local function nextRevision(last, stamp)
  local time, step = redis.call('TIME'), 0
  for i = 1, #stamp do step = (step * 31 + string.byte(stamp, i)) % 997 end
  return digits(math.max(tonumber(last) + 1 + step, tonumber(time[1]) * 1000000 + tonumber(time[2])))
end

local function nextSequence() return redis.call('HINCRBY', head, 'sequence', 1) end

local function isToBeListed(field, stamp)
  if redis.call('HGET', head, field) == '1' then return 0 end
  redis.call('HSET', head, field, stamp)
  return 1
end

local function listing(stamp)
  if redis.call('HEXISTS', head, 'revision') == 0 then return 0, 0 end
  local person, waits = isToBeListed('listed', stamp), 0
  if redis.call('ZCARD', queue) > 0 then waits = isToBeListed('queue_listed', stamp) end
  return person, waits
end

-- Without a write of its own, WAIT would not wait until the replicas know, too, that there is nobody.
local function noteAbsence()
  redis.pcall('ZADD', revisions, 0, '0')
  redis.call('DEL', revisions)
end
`;

/**
 * KEYS fixed, interaction. ARGV id, outcome, mustContinue, stamp, the stamp that may be replaced, then fields and
 * values. Returns 'done' or 'refused' with the listing, or 'open' with the stored stamp and turns: only the caller can
 * decrypt them and decide whether this continues them. The interaction may be known from a process that stopped before
 * it listed the person.
 */
export const acceptScript = new RedisScript(`${shared}
local interaction = KEYS[8]
local id, outcome, mustContinue, stamp, replaced = unpack(ARGV, 1, 5)
local known = redis.call('HMGET', interaction, 'stamp', 'outcome', 'turns')
if known[1] ~= stamp then
  if known[2] then
    if known[2] ~= 'open' then
      -- Without a write of its own, WAIT would not wait for what is known to reach the replicas.
      redis.call('HSET', interaction, 'stamp', known[1])
      return {'refused', listing(stamp)}
    end
    if known[1] ~= replaced then return {'open', known[1], known[3]} end
  elseif mustContinue == '1' then
    return {'refused', 0, 0}
  end
  if redis.call('HEXISTS', head, 'revision') == 0 then
    local revision = nextRevision(0, stamp)
    redis.call('HSET', head, 'revision', revision)
    redis.call('ZADD', revisions, revision, revision)
  end
  local sequence = redis.call('ZSCORE', history, id) or nextSequence()
  redis.call('DEL', interaction)
  redis.call('HSET', interaction, unpack(ARGV, 6))
  redis.call('ZADD', history, sequence, id)
  if outcome == 'queued' then redis.call('ZADD', queue, sequence, id) end
end
redis.call('HSET', interaction, 'stamp', stamp)
return {'done', listing(stamp)}
`);

/**
 * KEYS fixed, then every key that is named below. ARGV base revision, stamp, then lists, each preceded by its length;
 * see batch.ts. Returns 'done', the revision and the listing; 'stale' and the revision; or what is wrong and with which
 * id.
 */
export const applyScript = new RedisScript(`${shared}
local base, stamp = ARGV[1], ARGV[2]
local at = 2

local function take()
  at = at + 1
  return ARGV[at]
end

local function each(visit)
  for _ = 1, tonumber(take()) do visit(take()) end
end

local function takeFields(key)
  local count = tonumber(take())
  if count > 0 then redis.call('HSET', key, unpack(ARGV, at + 1, at + count)) end
  at = at + count
end

local function interactionKey(id) return head .. ':interaction:' .. id end
local function memoryKey(id) return head .. ':memory:' .. id end
local function neighborsKey(id) return head .. ':neighbors:' .. id end

local current = redis.call('HGET', head, 'revision') or '0'
if current ~= base then
  if current == '0' then noteAbsence() end
  if redis.call('HGET', head, 'batch') ~= stamp then return {'stale', current} end
  redis.call('HSET', head, 'batch', stamp)
  return {'done', current, listing(stamp)}
end

local problem
each(function(id)
  if redis.call('EXISTS', interactionKey(id)) == 1 then problem = {'known', id} end
end)
each(function(id)
  if redis.call('EXISTS', interactionKey(id)) == 0 then problem = {'no interaction', id} end
end)
each(function(id)
  if redis.call('EXISTS', memoryKey(id)) == 0 then problem = {'no memory', id} end
end)
if problem then return problem end

local revision = nextRevision(base, stamp)
local forgets = take() == '1'
-- A first write that needs no memory: forgetting works also when the memory is full.
if forgets then redis.call('DEL', removed, revisions) end

each(function(id)
  local isQueued = take() == '1'
  local sequence = nextSequence()
  takeFields(interactionKey(id))
  redis.call('ZADD', history, sequence, id)
  if isQueued then redis.call('ZADD', queue, sequence, id) end
end)

local function noteRemoval(name)
  if not forgets then redis.call('ZADD', removed, revision, name) end
end

each(function(a)
  local b = take()
  redis.call('HDEL', neighborsKey(a), b)
  redis.call('HDEL', neighborsKey(b), a)
  noteRemoval(take())
end)

local function removeMemory(id)
  for _, other in ipairs(redis.call('HKEYS', neighborsKey(id))) do redis.call('HDEL', neighborsKey(other), id) end
  redis.call('UNLINK', memoryKey(id), neighborsKey(id))
  redis.call('ZREM', memories, id)
  redis.call('ZREM', edges, id)
end

each(function(id)
  removeMemory(id)
  noteRemoval(take())
end)

each(function(id)
  redis.call('DEL', memoryKey(id))
  takeFields(memoryKey(id))
  redis.call('ZADD', memories, revision, id)
end)

each(function(id)
  local pair = take()
  if pair == '' then redis.call('HDEL', memoryKey(id), 'is_paired')
  else redis.call('HSET', memoryKey(id), 'is_paired', pair) end
  redis.call('ZADD', memories, revision, id)
end)

each(function(id)
  local fields = {}
  each(function(other)
    local edge = take()
    redis.call('HSET', neighborsKey(other), id, edge)
    table.insert(fields, other)
    table.insert(fields, edge)
  end)
  -- A call takes some thousand arguments at most.
  for from = 1, #fields, 1000 do
    redis.call('HSET', neighborsKey(id), unpack(fields, from, math.min(from + 999, #fields)))
  end
  redis.call('ZADD', edges, revision, id)
end)

local function setQueued(id, isQueued)
  if not isQueued then return redis.call('ZREM', queue, id) end
  redis.call('ZADD', queue, redis.call('ZSCORE', history, id), id)
end

each(function(id)
  local outcome, hasTrace, trace = take(), take() == '1', take()
  local interaction = interactionKey(id)
  if redis.call('EXISTS', interaction) == 0 then return end
  redis.call('HSET', interaction, 'outcome', outcome)
  if hasTrace then redis.call('HSET', interaction, 'trace', trace) else redis.call('HDEL', interaction, 'trace') end
  setQueued(id, outcome == 'queued')
end)

each(function(id)
  local interaction = interactionKey(id)
  if redis.call('EXISTS', interaction) == 0 then return end
  redis.call('HSET', interaction, 'outcome', 'queued', 'restored', '1')
  redis.call('HDEL', interaction, 'trace')
  setQueued(id, true)
end)

each(function(id)
  removeMemory(id)
  redis.call('UNLINK', interactionKey(id))
  redis.call('ZREM', history, id)
  redis.call('ZREM', queue, id)
end)

if redis.call('ZCARD', history) == 0 then
  redis.call('UNLINK', unpack(KEYS, 1, 7))
  return {'done', revision, 0, 0}
end
each(function(field) redis.call('HDEL', head, field) end)
takeFields(head)
redis.call('HSET', head, 'revision', revision, 'batch', stamp)
redis.call('ZADD', revisions, revision, revision)
redis.call('ZREMRANGEBYRANK', revisions, 0, ${-revisionsKept - 1})
redis.call('ZREMRANGEBYSCORE', removed, '-inf', redis.call('ZRANGE', revisions, 0, 0)[1])
return {'done', revision, listing(stamp)}
`);

/**
 * KEYS fixed, then interactions, memories and neighbours. ARGV the revision and sequence at which these were listed.
 * Returns 'moved' if there may be others by now, otherwise 'done'.
 */
export const forgetScript = new RedisScript(`${shared}
local revision, sequence = unpack(redis.call('HMGET', head, 'revision', 'sequence'))
if not revision then noteAbsence() end
if (revision or '0') ~= ARGV[1] or (sequence or '0') ~= ARGV[2] then return {'moved'} end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return {'done'}
`);

/**
 * KEYS memories. ARGV for each of them the number of fields and values, then those. Skips memories that do not exist.
 */
export const keepMetaScript = new RedisScript(`
local at = 1
for i = 1, #KEYS do
  local count = tonumber(ARGV[at])
  if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('HSET', KEYS[i], unpack(ARGV, at + 1, at + count)) end
  at = at + 1 + count
end
return 'OK'
`);

/**
 * KEYS head, memories, neighbours. ARGV revision, number of memories, then the fields of one. Returns all rows of one
 * moment, or false if the revision differs.
 */
export const readScript = new RedisScript(`
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then return false end
local rows = {}
for i = 2, #KEYS do
  if i <= tonumber(ARGV[2]) + 1 then rows[i - 1] = redis.call('HMGET', KEYS[i], unpack(ARGV, 3))
  else rows[i - 1] = redis.call('HGETALL', KEYS[i]) end
end
return rows
`);

/** KEYS head. ARGV stamp. Records that the buckets list the person; returns 0 if the person no longer exists. */
export const confirmListedScript = new RedisScript(`
for _, field in ipairs({'listed', 'queue_listed'}) do
  if redis.call('HGET', KEYS[1], field) == ARGV[1] then redis.call('HSET', KEYS[1], field, '1') end
end
return redis.call('HEXISTS', KEYS[1], 'revision')
`);

/** KEYS head, queue. Returns 1 if nothing waits; the next interaction then lists the person again. */
export const unlistQueueScript = new RedisScript(`
if redis.call('ZCARD', KEYS[2]) > 0 then return 0 end
redis.call('HDEL', KEYS[1], 'queue_listed')
return 1
`);

/** KEYS lists of one bucket. ARGV person, mark. */
export const addEntryScript = new RedisScript(`
for _, list in ipairs(KEYS) do redis.call('ZADD', list, ARGV[2], ARGV[1]) end
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
