/**
 * The atomic steps. All keys of a person have one hash tag: `head` (counters and the stamps of the last writes), `rows`
 * (kind\0id -> place, version, mark, numbers of the due lists, bytes), `order` (kind\0place id, by these bytes), and the
 * same members by version in `versions` and by their number in `queue` and `expiry`; `recents` are the revisions since
 * which nothing was deleted or lost. Every script checks everything before its first write.
 */
import { makeScript } from "./connection.js";

export const personKeys = ["head", "rows", "order", "versions", "queue", "expiry", "recents"] as const;

const revisionsKept = 100;
/** Characters: of eight writes. */
const stampsLength = 240;

const shared = `
local head, rows, order, versions, queue, expiry, recents = unpack(KEYS)
local known, fields = {}, redis.call('HGETALL', head)
for i = 1, #fields, 2 do known[fields[i]] = fields[i + 1] end
local function number(name) return tonumber(known[name] or 0) end
local function text(value) return string.format('%.0f', value) end
-- A key of another type, which would end a script halfway, ends it here.
local lengths = {redis.call('HLEN', rows), redis.call('ZCARD', order), redis.call('ZCARD', versions),
  redis.call('ZCARD', queue), redis.call('ZCARD', expiry), redis.call('LLEN', recents)}
`;

/**
 * ARGV stamp, repeated, lists that the person was entered in, base or '', random step, number of deletions, these as
 * kind\0id, then puts: kind\0id, version replaced or '', mark without place and version, queue, expiry ('-' for none), bytes.
 * A sequence follows the clock, so that no revision comes back, even if a new master missed the last ones.
 */
export const writeScript = makeScript(`${shared}
local stamp, isRepeated, entered, base = ARGV[1], ARGV[2] == '1', ARGV[3], ARGV[4]
local firstPut = 7 + tonumber(ARGV[6])
local isNew, isBased, revision = #fields == 0, base ~= '', known.revision or '0'
-- An answer that changes nothing: WAIT waits only for what its connection wrote.
local function answer(...)
  redis.pcall('RPUSH', recents, '')
  redis.call('LREM', recents, -1, '')
  return {...}
end
if isNew and lengths[1] + lengths[2] + lengths[3] > 0 then return {'headless'} end
-- Others may have written since: the last writes are known with the revisions that they returned.
local stamps = known.stamps or ''
local _, stampEnd = string.find(stamps, stamp, 1, true)
if stampEnd then return answer('done', string.match(stamps, '^ (%d+)', stampEnd + 1)) end
if isBased and base ~= revision then
  if isRepeated and isNew and not ARGV[firstPut] then return answer('gone', '0') end
  return answer('stale', revision)
end

local found, wanted = {}, {}
local function look(field)
  local row = redis.call('HGET', rows, field)
  if not row then return true end
  local place, version, mark, onQueue, onExpiry, at = string.match(row, '^(%d+) (%d+) (%d+) (%S+) (%S+)\\n()')
  found[field] = {place = place, version = version, mark = mark, row = row, at = at, queue = onQueue, expiry = onExpiry}
  return place
end
local function want(list) if not known['in ' .. list] and not string.find(entered, list, 1, true) then wanted[list] = 1 end end
for i = 7, firstPut - 1 do if not look(ARGV[i]) then return {'damaged', ARGV[i]} end end
local isTaken, isOurs = false, isRepeated
for i = firstPut, #ARGV, 6 do
  local field, was = ARGV[i], ARGV[i + 1]
  if not look(field) then return {'damaged', field} end
  local old = found[field]
  if was ~= '' and was ~= (old and old.version or '0') then
    isTaken = true
    isOurs = isOurs and old and ARGV[i + 3] == old.queue and ARGV[i + 4] == old.expiry and ARGV[i + 5] == string.sub(old.row, old.at)
  end
  if ARGV[i + 3] ~= '-' then want('queue') end
  if ARGV[i + 4] ~= '-' then want('expiry') end
end
if isTaken then return answer(isOurs and 'done' or 'taken', revision) end
if isNew and firstPut > #ARGV then return answer('gone', '0') end
if isNew then want('persons') end
if next(wanted) then
  local names = {'unlisted'}
  for name in pairs(wanted) do table.insert(names, name) end
  return names
end

local time = redis.call('TIME')
local sequence = math.max(number('sequence') + tonumber(ARGV[5]), tonumber(time[1]) * 1000000 + tonumber(time[2]))
local count, sum, counts, hasDeleted = number('count'), number('sum'), {queue = number('queue'), expiry = number('expiry')}, false
local function split(field, place)
  local at = string.find(field, '%z')
  return string.sub(field, 1, at) .. place .. string.sub(field, at + 1)
end
local function setDue(name, key, member, value)
  if value == '-' then counts[name] = counts[name] - redis.call('ZREM', key, member)
  else counts[name] = counts[name] + redis.call('ZADD', key, value, member) end
end
for i = 7, firstPut - 1 do
  local field, old = ARGV[i], found[ARGV[i]]
  if old then
    local member = split(field, old.place)
    found[field], hasDeleted = nil, true
    count, sum = count - redis.call('HDEL', rows, field), (sum - tonumber(old.mark)) % 2 ^ 48
    redis.call('ZREM', order, member)
    redis.call('ZREM', versions, member)
    setDue('queue', queue, member, '-')
    setDue('expiry', expiry, member, '-')
  end
end
for i = firstPut, #ARGV, 6 do
  local field, old = ARGV[i], found[ARGV[i]]
  sequence = sequence + 1
  local place = old and old.place or text(sequence)
  local member, mark = split(field, place), (tonumber(ARGV[i + 2]) + tonumber(place) + sequence) % 2 ^ 48
  local numbers = table.concat({place, text(sequence), text(mark), ARGV[i + 3], ARGV[i + 4]}, ' ')
  count = count + redis.call('HSET', rows, field, numbers .. '\\n' .. ARGV[i + 5])
  sum = (sum + mark - (old and tonumber(old.mark) or 0)) % 2 ^ 48
  found[field] = {place = place, mark = mark}
  redis.call('ZADD', order, 0, member)
  redis.call('ZADD', versions, text(sequence), member)
  setDue('queue', queue, member, ARGV[i + 3])
  setDue('expiry', expiry, member, ARGV[i + 4])
end
if count == 0 then
  redis.call('UNLINK', unpack(KEYS))
  return {'gone', '0'}
end
if hasDeleted then redis.call('DEL', recents) end
if isBased or isNew then revision = text(sequence) end
redis.call('HSET', head, 'sequence', text(sequence), 'count', text(count), 'sum', text(sum % 2 ^ 48),
  'stamps', string.sub(table.concat({stamp, revision, stamps}, ' '), 1, ${stampsLength}),
  'queue', text(counts.queue), 'expiry', text(counts.expiry),
  'deleted', (hasDeleted or isNew) and text(sequence) or known.deleted or '0')
for name in string.gmatch(entered, '%a+') do redis.call('HSET', head, 'in ' .. name, '1') end
if isBased or isNew then
  redis.call('HSET', head, 'revision', revision)
  redis.call('RPUSH', recents, revision)
  redis.call('LTRIM', recents, ${-revisionsKept}, -1)
end
return {'done', revision}
`);

/**
 * ARGV a revision or '' (since it), a version or '' (after it), the number of a list's key or '', whether the newest come
 * first, the place to go on after or '', a limit or '', the number of rows up to which they are returned, "kind" or "row",
 * and kinds or rows as kind\0id. Returns the head, whether lists are too short, whether it is no difference, members, rows.
 */
export const readScript = makeScript(`${shared}
local since, later, list, isNewest, after, limit, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1', ARGV[5], tonumber(ARGV[6]), ARGV[7]
local isWhole = later == '' and (since == '' or not redis.call('LPOS', recents, since))
local members, kinds, values = {}, {}, {}
local function add(...)
  for _, member in ipairs(redis.call('ZRANGE', ...)) do table.insert(members, member) end
end
local function split(name)
  local at = string.find(name, '%z') or 0
  return string.sub(name, 1, at - 1), string.sub(name, at + 1)
end
for i = 9, #ARGV do kinds[ARGV[i]] = true end
if ARGV[8] == 'row' then
  for i = 9, #ARGV do
    local row, kind, id = redis.call('HGET', rows, ARGV[i]), split(ARGV[i])
    if row then table.insert(members, kind .. '\\0' .. (string.match(row, '^%d+') or string.rep('0', 16)) .. id) end
  end
elseif list ~= '' then add(KEYS[tonumber(list)], 0, -1)
elseif not isWhole then add(versions, '(' .. (later ~= '' and later or since), '+inf', 'BYSCORE')
elseif not next(kinds) then add(order, 0, -1) end
if ARGV[8] == 'kind' and list == '' and isWhole then
  for i = 9, #ARGV do
    local low, high = '[' .. ARGV[i] .. '\\0', '(' .. ARGV[i] .. '\\1'
    if after ~= '' and isNewest then high = '(' .. ARGV[i] .. '\\0' .. after
    elseif after ~= '' then low = '[' .. ARGV[i] .. '\\0' .. after .. '\\255' end
    if isNewest then add(order, high, low, 'BYLEX', 'REV', 'LIMIT', 0, limit or -1)
    else add(order, low, high, 'BYLEX', 'LIMIT', 0, limit or -1) end
  end
end
if ARGV[8] == 'row' or #members <= tonumber(most) then
  for i, member in ipairs(members) do
    local kind, rest = split(member)
    values[i] = redis.call('HGET', rows, kind .. '\\0' .. string.sub(rest, 17))
  end
else values = false end
local isShort = lengths[4] ~= number('queue') or lengths[5] ~= number('expiry')
for i = 1, 3 do isShort = isShort or lengths[i] ~= number('count') end
local numbers = {known.revision or '0', known.sequence or '0', known.deleted or '0', known.sum or '0'}
return {numbers, isShort and 1 or 0, isWhole and 1 or 0, members, values}
`);

/** ARGV stamp, repeated. Returns how many records there were. */
export const eraseScript = makeScript(`
local count = redis.pcall('HLEN', KEYS[2])
redis.pcall('SET', KEYS[7], '')
redis.call('UNLINK', unpack(KEYS))
return type(count) == 'number' and count or 0
`);

/** KEYS lists of one bucket. ARGV stamp, repeated, person, mark, "1" if it must work in a full memory, too. */
export const enterScript = makeScript(`
for _, list in ipairs(KEYS) do
  if ARGV[5] == '1' then redis.call('ZREM', list, ARGV[3]) end
  redis.call('ZADD', list, ARGV[4], ARGV[3])
end
`);

/** KEYS list of a bucket. ARGV stamp, repeated, person, mark. Removes the entry unless it was entered again. */
export const leaveScript = makeScript(`
if redis.call('ZSCORE', KEYS[1], ARGV[3]) == ARGV[4] then redis.call('ZREM', KEYS[1], ARGV[3]) end
`);

/**
 * KEYS head, a due list. ARGV its name, a number, "1" if the entry in the bucket is old. Returns how many are due (all if the
 * list was lost), the smallest number, and whether nothing is on it and the next record will enter the person again.
 */
export const dueScript = makeScript(`
local count = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if first[2] then return {redis.call('ZCOUNT', KEYS[2], '-inf', ARGV[2]), first[2], 0} end
if count > 0 or ARGV[3] ~= '1' then return {count, '0', 0} end
redis.pcall('HDEL', KEYS[1], 'in ' .. ARGV[1])
return {0, '0', 1}
`);

/** KEYS lease. ARGV owner, milliseconds. In a full memory, everybody has the right: only work is lost. */
export const leaseScript = makeScript(`
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1])
else redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1
`);
