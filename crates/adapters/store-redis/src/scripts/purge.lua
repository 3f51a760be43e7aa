-- How many expired documents were removed.
--
-- KEYS: the keys, the expiries. ARGV: what documents begin with, what lists begin with, now, how many at most.
local keys, expiries = KEYS[1], KEYS[2]
local documents, lists, now, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local expired = redis.call('ZRANGEBYLEX', expiries, '-', '(' .. now .. '\255', 'LIMIT', 0, limit)
for _, member in ipairs(expired) do
  -- A time has 20 digits.
  local key = string.sub(member, 21)
  local found = redis.call('HMGET', documents .. key, 'b', 'n')
  redis.call('DEL', documents .. key)
  for place = 1, tonumber(found[2] or 0) do
    redis.call('DEL', lists .. found[1] .. ':' .. place)
  end
  redis.call('ZREM', keys, key)
  redis.call('ZREM', expiries, member)
end
return #expired
