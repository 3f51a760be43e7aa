-- 1, or nothing where the document is not as expected.
--
-- KEYS: the keys, the expiries, the document. ARGV: what lists begin with, the key, now, the expected version.
local keys, expiries, document = KEYS[1], KEYS[2], KEYS[3]
local lists, key, now, expected = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local found = redis.call('HMGET', document, 'v', 'b', 'e', 'n')
local version, birth, until_then, journals = found[1], found[2], found[3], tonumber(found[4] or 0)
if version ~= expected or (until_then and until_then <= now) then
  return false
end
redis.call('DEL', document)
for place = 1, journals do
  redis.call('DEL', lists .. birth .. ':' .. place)
end
redis.call('ZREM', keys, key)
if until_then then
  redis.call('ZREM', expiries, until_then .. key)
end
return 1
