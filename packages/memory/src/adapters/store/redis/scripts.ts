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
 * `listed_persons`, `listed_queue` and `listed_expiries` of the head say whether the buckets list the person: 1, or the
 * stamp of the call that is about to list them (persons.ts). `counts` says how long the person's lists have to be
 * (counts.ts).
 */
import { RedisScript } from "./connection.js";

/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const revisionsKept = 100;

/** What every script begins with that changes a person. */
const shared = `
local head, history, queue, expiries, memories, removed, revisions = unpack(KEYS, 1, 7)
local lists = {history, queue, expiries, memories, removed}

local function digits(number) return string.format('%.0f', number) end

local function nextRevision(last, stamp)
  local time, step = redis.call('TIME'), 0
  for i = 1, #stamp do step = (step * 31 + string.byte(stamp, i)) % 997 end
  return digits(math.max(tonumber(last) + 1 + step, tonumber(time[1]) * 1000000 + tonumber(time[2])))
end

local known, kept = unpack(redis.call('HMGET', head, 'revision', 'counts'))

-- Asks for the lists, too: one of another type would end the script halfway.
local function isHeadless()
  for _, list in ipairs(lists) do redis.call('ZCARD', list) end
  redis.call('ZCARD', revisions)
  return not known and redis.call('EXISTS', history, memories) > 0
end

local counts, ends = {}, 0

-- Those that the head has; none where it is new.
local function readCounts()
  local numbers = {}
  for number in string.gmatch(kept or '', '%S+') do table.insert(numbers, number) end
  for i, list in ipairs(lists) do counts[list] = tonumber(numbers[i]) or 0 end
  ends = tonumber(numbers[6]) or 0
end

local function add(list, score, member) counts[list] = counts[list] + redis.call('ZADD', list, score, member) end
local function drop(list, member) counts[list] = counts[list] - redis.call('ZREM', list, member) end
local function countEnds(number) ends = ends + number end

local function keepCounts()
  local numbers = {}
  for i, list in ipairs(lists) do numbers[i] = digits(counts[list]) end
  numbers[6] = digits(ends)
  redis.call('HSET', head, 'counts', table.concat(numbers, ' '))
end

-- An interaction in the lists that it belongs to; '' for one that does not expire.
local function enter(id, isQueued, expires)
  local sequence = redis.call('ZSCORE', history, id) or redis.call('HINCRBY', head, 'sequence', 1)
  add(history, sequence, id)
  if isQueued then add(queue, sequence, id) else drop(queue, id) end
  if expires ~= '' then add(expiries, expires, id) else drop(expiries, id) end
end

local function isToBeListed(field, isEmpty, stamp)
  if isEmpty or redis.call('HGET', head, field) == '1' then return 0 end
  redis.call('HSET', head, field, stamp)
  return 1
end

local function listing(stamp)
  if redis.call('HEXISTS', head, 'revision') == 0 then return 0, 0, 0 end
  return isToBeListed('listed_persons', false, stamp),
    isToBeListed('listed_queue', redis.call('ZCARD', queue) == 0, stamp),
    isToBeListed('listed_expiries', redis.call('ZCARD', expiries) == 0, stamp)
end

-- Without a write of its own, WAIT would not wait until the replicas know, too, that there is nobody.
local function noteAbsence()
  redis.pcall('ZADD', revisions, 0, '0')
  redis.call('DEL', revisions)
end
`;

/**
 * KEYS fixed, interaction. ARGV id, outcome, mustContinue, stamp, the stamp that may be replaced, when it expires, then
 * fields and values. Returns 'done' or 'refused' with the listing, or 'open' with the stored stamp and body: only the
 * caller can open it and decide whether this continues it. The interaction may be known from a process that stopped
 * before it listed the person.
 */
export const acceptScript = new RedisScript(`${shared}
local interaction = KEYS[8]
local id, outcome, mustContinue, stamp, replaced, expires = unpack(ARGV, 1, 6)
if isHeadless() then return {'headless'} end
readCounts()
local stored = redis.call('HMGET', interaction, 'stamp', 'outcome', 'body')
if stored[1] ~= stamp then
  if stored[2] then
    if stored[2] ~= 'open' then
      -- Without a write of its own, WAIT would not wait for what is known to reach the replicas.
      redis.call('HSET', interaction, 'stamp', stored[1])
      return {'refused', listing(stamp)}
    end
    if stored[1] ~= replaced then return {'open', stored[1], stored[3]} end
  elseif mustContinue == '1' then
    return {'refused', 0, 0, 0}
  end
  if not known then
    local revision = nextRevision(0, stamp)
    redis.call('HSET', head, 'revision', revision)
    redis.call('ZADD', revisions, revision, revision)
  end
  redis.call('HSET', interaction, unpack(ARGV, 7))
  enter(id, outcome == 'queued', expires)
  keepCounts()
end
redis.call('HSET', interaction, 'stamp', stamp)
return {'done', listing(stamp)}
`);

/**
 * KEYS fixed, then every key that is named below. ARGV base revision, stamp, then lists, each preceded by its length; see
 * batch.ts. Returns 'done', the revision and the listing; 'stale' and the revision; or what is wrong and with which id.
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

if isHeadless() then return {'headless'} end
local current = known or '0'
if current ~= base then
  if current == '0' then noteAbsence() end
  if redis.call('HGET', head, 'batch') ~= stamp then return {'stale', current} end
  redis.call('HSET', head, 'batch', stamp)
  return {'done', current, listing(stamp)}
end

-- A row of another type would end the script halfway.
for i = 8, #KEYS do redis.call('HLEN', KEYS[i]) end

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
-- A conversation that went on since the caller read it.
each(function(id)
  if redis.call('HGET', interactionKey(id), 'stamp') ~= take() then problem = {'moved', id} end
end)
if problem then return problem end

local revision = nextRevision(base, stamp)
readCounts()
local forgets, grows = take() == '1', take() == '1'
-- Redis refuses only a script's first write when its memory is full. Forgetting begins with one that needs no memory,
-- whatever makes the person larger with one that does.
if forgets then
  redis.call('DEL', removed, revisions)
  counts[removed] = 0
elseif grows then
  redis.call('HSET', head, 'batch', stamp)
end

local function noteRemoval(name)
  if not forgets then add(removed, revision, name) end
end

local function separate(a, b) countEnds(-redis.call('HDEL', neighborsKey(a), b)) end

each(function(a)
  local b = take()
  separate(a, b)
  separate(b, a)
  noteRemoval(take())
end)

local function removeMemory(id)
  for _, other in ipairs(redis.call('HKEYS', neighborsKey(id))) do
    separate(other, id)
    countEnds(-1)
  end
  redis.call('UNLINK', memoryKey(id), neighborsKey(id))
  drop(memories, id)
end

each(function(id)
  removeMemory(id)
  noteRemoval(take())
end)

each(function(id)
  local isQueued, expires = take() == '1', take()
  takeFields(interactionKey(id))
  enter(id, isQueued, expires)
end)

each(function(id)
  redis.call('DEL', memoryKey(id))
  takeFields(memoryKey(id))
  add(memories, revision, id)
end)

each(function(id)
  redis.call('HSET', memoryKey(id), 'links', take())
  add(memories, revision, id)
end)

-- A reader who asks what changed reads the edges of the memories that did, so one end counts as changed.
each(function(changed)
  local other, edge = take(), take()
  countEnds(redis.call('HSET', neighborsKey(changed), other, edge) + redis.call('HSET', neighborsKey(other), changed, edge))
  add(memories, revision, changed)
end)

each(function(id)
  removeMemory(id)
  redis.call('UNLINK', interactionKey(id))
  for _, list in ipairs({history, queue, expiries}) do drop(list, id) end
end)

if redis.call('ZCARD', history) == 0 then
  redis.call('UNLINK', unpack(KEYS, 1, 7))
  return {'done', revision, 0, 0, 0}
end
takeFields(head)
redis.call('HSET', head, 'revision', revision, 'batch', stamp)
redis.call('ZADD', revisions, revision, revision)
redis.call('ZREMRANGEBYRANK', revisions, 0, ${-revisionsKept - 1})
local oldest = redis.call('ZRANGE', revisions, 0, 0)[1]
counts[removed] = counts[removed] - redis.call('ZREMRANGEBYSCORE', removed, '-inf', oldest)
keepCounts()
return {'done', revision, listing(stamp)}
`);

/**
 * KEYS fixed, then interactions, memories and neighbours. ARGV the revision and sequence at which these were listed.
 * Returns 'moved' if there may be others by now, otherwise 'done'.
 */
export const forgetScript = new RedisScript(`${shared}
local sequence = redis.call('HGET', head, 'sequence')
if not known then noteAbsence() end
if (known or '0') ~= ARGV[1] or (sequence or '0') ~= ARGV[2] then return {'moved'} end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return {'done'}
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
