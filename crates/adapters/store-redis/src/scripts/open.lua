-- The number of the schema, which is set where there is none. KEYS: the schema. ARGV: the present one.
local schema = redis.call('GET', KEYS[1])
if not schema then
  redis.call('SET', KEYS[1], ARGV[1])
  return ARGV[1]
end
return schema
