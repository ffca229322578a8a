-- Answers by itself, after an hour, and talks until then: somebody at work whom one can watch.

local said = {
  {at = "2s", text = "I begin with the program."},
  {at = "4s", tool = "Read: greet"},
  {at = "5s", tool_end = true},
  {at = "8s", text = "It is short: one line does the work. Next are the tests."},
  {at = "11s", tool = "Bash: sh test.sh"},
  {at = "14s", tool_end = true},
  {at = "16s", text = "They pass. Now I compare what they cover with what it can do."},
  {at = "40s", text = "A name with a space in it is not tested."},
  {at = "80s", text = "An empty name is not tested either; it greets the world."},
}
local reply = '{"verdict": "FOUND", "found": "Names with a space in them, and empty ones."}'

return {
  command = function() return {answer = {text = reply, output = said, took = "1h", speed = 1}} end,
}
