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
 * about to list them (persons.ts). `store` and `embedder` say under which settings the person was written
 * (settings.ts), `counts` how long the person's lists have to be (counts.ts).
 */
import { RedisScript } from "./connection.js";
import { editedFieldNames, notesFieldNames, pinFieldNames, updatesFieldNames } from "./rows.js";

/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const revisionsKept = 100;

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

/** What every script begins with that changes a person. */
export const sharedScript = `
local head, history, queue, memories, edges, removed, revisions = unpack(KEYS, 1, 7)

local function digits(number) return string.format('%.0f', number) end

local function nextRevision(last, stamp)
  local time, step = redis.call('TIME'), 0
  for i = 1, #stamp do step = (step * 31 + string.byte(stamp, i)) % 997 end
  return digits(math.max(tonumber(last) + 1 + step, tonumber(time[1]) * 1000000 + tonumber(time[2])))
end

-- Under which settings the caller writes, and whether it has just made sure that they are the store's.
local store, embedder, isConfirmed = unpack(ARGV, 1, 3)
local known, ownStore, ownEmbedder, kept

-- Why the caller may not write here. It asks for the lists to be changed, too: one of another type would end the script
-- halfway.
local function refusal(changed)
  known, ownStore, ownEmbedder, kept = unpack(redis.call('HMGET', head, 'revision', 'store', 'embedder', 'counts'))
  for _, list in ipairs(changed) do redis.call('ZCARD', list) end
  if not known and redis.call('EXISTS', history, memories) > 0 then return {'headless'} end
  if ownStore and ownStore ~= store then return {'foreign'} end
  if isConfirmed == '0' and (ownStore ~= store or ownEmbedder ~= embedder) then return {'unconfirmed'} end
end

local lists = {history, queue, memories, edges, removed}
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
  if ownStore ~= store or ownEmbedder ~= embedder then
    redis.call('HSET', head, 'store', store, 'embedder', embedder)
  end
end

-- A row's checksum has parts of eight digits.
local function sign(key, part, sum)
  local sums = redis.call('HGET', key, 'checksum') or ''
  redis.call('HSET', key, 'checksum', string.sub(sums, 1, 8 * part - 8) .. sum .. string.sub(sums, 8 * part + 1))
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
 * KEYS fixed, interaction. ARGV settings, id, outcome, mustContinue, stamp, the stamp that may be replaced, then fields
 * and values. Returns 'done' or 'refused' with the listing, or 'open' with the stored stamp and turns: only the caller can
 * decrypt them and decide whether this continues them. The interaction may be known from a process that stopped before
 * it listed the person.
 */
export const acceptScript = new RedisScript(`${sharedScript}
local interaction = KEYS[8]
local id, outcome, mustContinue, stamp, replaced = unpack(ARGV, 4, 8)
local refused = refusal({history, queue, revisions})
if refused then return refused end
readCounts()
local stored = redis.call('HMGET', interaction, 'stamp', 'outcome', 'turns')
if stored[1] ~= stamp then
  if stored[2] then
    if stored[2] ~= 'open' then
      -- Without a write of its own, WAIT would not wait for what is known to reach the replicas.
      redis.call('HSET', interaction, 'stamp', stored[1])
      return {'refused', listing(stamp)}
    end
    if stored[1] ~= replaced then return {'open', stored[1], stored[3]} end
  elseif mustContinue == '1' then
    return {'refused', 0, 0}
  end
  if not known then
    local revision = nextRevision(0, stamp)
    redis.call('HSET', head, 'revision', revision)
    redis.call('ZADD', revisions, revision, revision)
  end
  local sequence = redis.call('ZSCORE', history, id) or nextSequence()
  redis.call('DEL', interaction)
  redis.call('HSET', interaction, unpack(ARGV, 9))
  add(history, sequence, id)
  if outcome == 'queued' then add(queue, sequence, id) end
  keepCounts()
end
redis.call('HSET', interaction, 'stamp', stamp)
return {'done', listing(stamp)}
`);

/**
 * KEYS fixed, then every key that is named below. ARGV settings, base revision, stamp, then lists, each preceded by its length;
 * see batch.ts. Returns 'done', the revision and the listing; 'stale' and the revision; or what is wrong and with which
 * id.
 */
export const applyScript = new RedisScript(`${sharedScript}
local base, stamp = ARGV[4], ARGV[5]
local at = 5

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

-- In place of the named ones.
local function takeFieldsFor(key, ...)
  if redis.call('EXISTS', key) == 0 then
    at = at + 1 + tonumber(ARGV[at + 1])
    return
  end
  redis.call('HDEL', key, ...)
  takeFields(key)
end

local function interactionKey(id) return head .. ':interaction:' .. id end
local function memoryKey(id) return head .. ':memory:' .. id end
local function neighborsKey(id) return head .. ':neighbors:' .. id end

local refused = refusal({history, queue, memories, edges, removed, revisions})
if refused then return refused end
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

each(function(id)
  local isQueued = take() == '1'
  local sequence = nextSequence()
  takeFields(interactionKey(id))
  add(history, sequence, id)
  if isQueued then add(queue, sequence, id) end
end)

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
  drop(edges, id)
end

each(function(id)
  removeMemory(id)
  noteRemoval(take())
end)

each(function(id)
  redis.call('DEL', memoryKey(id))
  takeFields(memoryKey(id))
  add(memories, revision, id)
end)

each(function(id)
  local pair = take()
  if pair == '' then redis.call('HDEL', memoryKey(id), 'is_paired')
  else redis.call('HSET', memoryKey(id), 'is_paired', pair) end
  sign(memoryKey(id), 2, take())
  add(memories, revision, id)
end)

each(function(id)
  takeFieldsFor(memoryKey(id), ${quoted(updatesFieldNames)})
  add(memories, revision, id)
end)

each(function(id)
  takeFieldsFor(memoryKey(id), ${quoted(pinFieldNames)})
  add(memories, revision, id)
end)

each(function(id)
  takeFieldsFor(memoryKey(id), ${quoted(notesFieldNames)})
  add(memories, revision, id)
end)

each(function(id)
  local fields = {}
  each(function(other)
    local edge = take()
    countEnds(redis.call('HSET', neighborsKey(other), id, edge))
    table.insert(fields, other)
    table.insert(fields, edge)
  end)
  -- A call takes some thousand arguments at most.
  for from = 1, #fields, 1000 do
    countEnds(redis.call('HSET', neighborsKey(id), unpack(fields, from, math.min(from + 999, #fields))))
  end
  add(edges, revision, id)
end)

each(function(id)
  local interaction, sum = interactionKey(id), take()
  takeFieldsFor(interaction, ${quoted(editedFieldNames)})
  sign(interaction, 1, sum)
end)

local function setQueued(id, isQueued)
  if not isQueued then return drop(queue, id) end
  add(queue, redis.call('ZSCORE', history, id), id)
end

each(function(id)
  local outcome, hasTrace, trace, sum, sumIfRestored = take(), take() == '1', take(), take(), take()
  local interaction = interactionKey(id)
  if redis.call('EXISTS', interaction) == 0 then return end
  redis.call('HSET', interaction, 'outcome', outcome)
  if hasTrace then redis.call('HSET', interaction, 'trace', trace) else redis.call('HDEL', interaction, 'trace') end
  sign(interaction, 2, redis.call('HEXISTS', interaction, 'restored') == 1 and sumIfRestored or sum)
  setQueued(id, outcome == 'queued')
end)

each(function(id)
  local interaction, sum = interactionKey(id), take()
  if redis.call('EXISTS', interaction) == 0 then return end
  redis.call('HSET', interaction, 'outcome', 'queued', 'restored', '1')
  redis.call('HDEL', interaction, 'trace')
  sign(interaction, 2, sum)
  setQueued(id, true)
end)

each(function(id) takeFieldsFor(interactionKey(id), ${quoted(updatesFieldNames)}) end)

each(function(id)
  removeMemory(id)
  redis.call('UNLINK', interactionKey(id))
  drop(history, id)
  drop(queue, id)
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
local oldest = redis.call('ZRANGE', revisions, 0, 0)[1]
counts[removed] = counts[removed] - redis.call('ZREMRANGEBYSCORE', removed, '-inf', oldest)
keepCounts()
return {'done', revision, listing(stamp)}
`);

/**
 * KEYS fixed, then interactions, memories and neighbours. ARGV settings, then the revision and sequence at which these were
 * listed.  * Returns 'moved' if there may be others by now, otherwise 'done'.
 */
export const forgetScript = new RedisScript(`${sharedScript}
local revision, sequence = unpack(redis.call('HMGET', head, 'revision', 'sequence'))
if not revision then noteAbsence() end
if (revision or '0') ~= ARGV[4] or (sequence or '0') ~= ARGV[5] then return {'moved'} end
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
