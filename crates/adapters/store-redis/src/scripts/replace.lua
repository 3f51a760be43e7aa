-- The new version, or nothing where the document is not as expected.
--
-- KEYS: the counter, the keys, the expiries, the document.
-- ARGV: what lists begin with, the key, now, the expected version or '', the body, when it expires or '',
--   how many appends and of each a journal, how many records and the records,
--   how many cuts and of each a journal and the number below which nothing is kept.
local counter, keys, expiries, document = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local lists, key, now, expected, body, expires = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local found = redis.call('HMGET', document, 'v', 'b', 'e', 'n')
local version, birth, until_then, journals = found[1], found[2], found[3], tonumber(found[4] or 0)
local live = version and (not until_then or until_then > now)
if expected == '' then
  if live then return false end
elseif not live or version ~= expected then
  return false
end

-- The first write: whatever makes Redis refuse does so here. Read as text, since a number here is not exact.
redis.call('INCR', counter)
local written = redis.call('GET', counter)

if expected == '' then
  for place = 1, journals do
    redis.call('DEL', lists .. birth .. ':' .. place)
  end
  redis.call('DEL', document)
  redis.call('ZADD', keys, 0, key)
  birth, journals = written, 0
end
if until_then and until_then ~= expires then
  redis.call('ZREM', expiries, until_then .. key)
end
redis.call('HSET', document, 'v', written, 'b', birth, 'd', body)
if expires == '' then
  redis.call('HDEL', document, 'e')
else
  redis.call('HSET', document, 'e', expires)
  redis.call('ZADD', expiries, 0, expires .. key)
end

local function journal(name)
  local kept = redis.call('HGET', document, 'j' .. name)
  if not kept then return nil end
  local place, first, length = string.match(kept, '^(%d+) (%d+) (%d+)$')
  return tonumber(place), tonumber(first), tonumber(length)
end

local function keep(name, place, first, length)
  redis.call('HSET', document, 'j' .. name, string.format('%.0f %.0f %.0f', place, first, length))
end

local at = 8
for _ = 1, tonumber(ARGV[7]) do
  local name, count = ARGV[at], tonumber(ARGV[at + 1])
  local place, first, length = journal(name)
  if not place then
    journals = journals + 1
    place, first, length = journals, 0, 0
    redis.call('HSET', document, 'n', journals)
  end
  local last = at + 1 + count
  for from = at + 2, last, 1000 do
    redis.call('RPUSH', lists .. birth .. ':' .. place, unpack(ARGV, from, math.min(from + 999, last)))
  end
  keep(name, place, first, length + count)
  at = last + 1
end

local cuts = tonumber(ARGV[at])
for cut = 1, cuts do
  local name, below = ARGV[at + 2 * cut - 1], tonumber(ARGV[at + 2 * cut])
  local place, first, length = journal(name)
  if place and below > first then
    local kept = math.min(below, length)
    redis.call('LTRIM', lists .. birth .. ':' .. place, kept - first, -1)
    keep(name, place, kept, length)
  end
end
return written
