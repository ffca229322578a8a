-- Answers from a cassette, without any program: the demo and the tests. See docs/providers.md.

local function ordinal(n)
  local ending = "th"
  if n % 100 < 11 or n % 100 > 13 then ending = ({"st", "nd", "rd"})[n % 10] or "th" end
  return n .. ending
end

local function count(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function calls_of(cassette, agent)
  local list = {}
  for _, entry in ipairs(cassette.calls or {}) do
    if entry.agent == agent then list[#list + 1] = entry end
  end
  return list
end

local function check(options)
  if type(options.cassette) ~= "table" then
    error("the provider 'offline' answers from a cassette; name one: --cassette FILE", 0)
  end
end

local function entry_of(call)
  check(call.options)
  local cassette = call.options.cassette
  local calls = calls_of(cassette, call.agent)
  local entry = calls[call.nth]
  if not entry then
    error("the cassette has " .. count(#calls, "call") .. " for '" .. call.agent .. "', this is the "
      .. ordinal(call.nth) .. "; add one", 0)
  end
  if not entry.attempts then return entry end
  local attempt = entry.attempts[call.attempt]
  if not attempt then
    error("the cassette has " .. count(#entry.attempts, "attempt") .. " for the " .. ordinal(call.nth)
      .. " call of '" .. call.agent .. "', this is the " .. ordinal(call.attempt) .. "; add one", 0)
  end
  return attempt
end

return {
  sessions = false,
  check = check,

  command = function(call)
    local entry = entry_of(call)
    if not entry.reply and not entry.error then
      error("the cassette's " .. ordinal(call.nth) .. " call of '" .. call.agent
        .. "' has neither 'reply' nor 'error'", 0)
    end
    local edits = {}
    for path, text in pairs(entry.edits or {}) do edits[#edits + 1] = {path = path, text = text} end
    return {answer = {text = entry.reply, error = entry.error, event = entry.event, edits = edits,
      patch = entry.patch, delay = entry.delay}}
  end,
}
