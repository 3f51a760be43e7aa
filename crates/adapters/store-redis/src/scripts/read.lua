-- The records, or nothing where they are gone.
--
-- KEYS: the document. ARGV: what lists begin with, the birth, now, the journal, the first number, the one after the last.
local lists, birth, now = ARGV[1], ARGV[2], ARGV[3]
local start, beyond = tonumber(ARGV[5]), tonumber(ARGV[6])
local found = redis.call('HMGET', KEYS[1], 'b', 'e', 'j' .. ARGV[4])
if found[1] ~= birth or (found[2] and found[2] <= now) then
  return false
end
if not found[3] then
  return {}
end
local place, first = string.match(found[3], '^(%d+) (%d+) %d+$')
first = tonumber(first)
if start < first then
  return false
end
if beyond <= start then
  return {}
end
return redis.call('LRANGE', lists .. birth .. ':' .. place, start - first, beyond - first - 1)
