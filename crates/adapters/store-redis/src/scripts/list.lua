-- How many keys were looked at, the last of them, and those that have not expired.
--
-- KEYS: the keys. ARGV: what documents begin with, from where, to where, how many at most, now.
local looked = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
local answer = { tostring(#looked), looked[#looked] or '' }
for _, key in ipairs(looked) do
  local expires = redis.call('HGET', ARGV[1] .. key, 'e')
  if not expires or expires > ARGV[5] then
    answer[#answer + 1] = key
  end
end
return answer
