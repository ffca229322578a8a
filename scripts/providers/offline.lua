-- Answers from a cassette, without any program: the demo, tests, and recorded runs. See
-- docs/providers.md for cassettes, docs/recording.md for how they are played.

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

-- The entry of that of its attempts, and whether the cassette has them one by one.
local function entry_of(call, attempt)
  check(call.options)
  local cassette = call.options.cassette
  local calls = calls_of(cassette, call.agent)
  local last = calls[#calls]
  local entry = calls[call.nth] or (last and last.again and last)
  if not entry then
    error("the cassette has " .. count(#calls, "call") .. " for '" .. call.agent .. "', this is the "
      .. ordinal(call.nth) .. "; add one, or let the last answer 'again'", 0)
  end
  if not entry.attempts then return entry, false end
  local found = entry.attempts[attempt]
  if not found then
    error("the cassette has " .. count(#entry.attempts, "attempt") .. " for the " .. ordinal(call.nth)
      .. " call of '" .. call.agent .. "', this is the " .. ordinal(attempt) .. "; add one", 0)
  end
  return found, true
end

local function answer_of(entry, call, playback)
  if not entry.reply and not entry.error then
    error("the cassette's " .. ordinal(call.nth) .. " call of '" .. call.agent
      .. "' has neither 'reply' nor 'error'", 0)
  end
  local edits = {}
  for path, text in pairs(entry.edits or {}) do edits[#edits + 1] = {path = path, text = text} end
  local prompt = entry.prompt
  if playback.fuzzy then prompt = nil end
  return {text = entry.reply, error = entry.error, event = entry.event, edits = edits,
    patch = entry.patch, delay = entry.delay, output = entry.output, took = entry.took,
    speed = playback.speed, prompt = prompt}
end

-- Is the step of a fault this call? It is the end of a path, whose items may be left out, or an agent.
local function is_at(step, call)
  if step == call.agent .. "#" .. call.nth then return true end
  for _, path in ipairs({call.path, (call.path:gsub("%[%d+%]", ""))}) do
    if path == step or path:sub(-#step - 1) == "/" .. step then return true end
  end
  return false
end

-- Returns this call's, in the order of its attempts.
local function faults_of(call, playback)
  local list = {}
  for _, fault in ipairs(playback.faults or {}) do
    if is_at(fault.step, call) then list[#list + 1] = fault end
  end
  return list
end

-- The faults of real programs; `answer` is what should have come.
local strike = {
  hang = function(answer)
    return {output = answer.output, speed = answer.speed, edits = answer.edits, patch = answer.patch,
      stuck = true}
  end,
  exit = function(answer, fault)
    return {output = answer.output, speed = answer.speed, edits = answer.edits, patch = answer.patch,
      error = "exit status 1: as --fault " .. fault.text .. " has it"}
  end,
  garbage = function(answer)
    return {output = answer.output, speed = answer.speed,
      text = "\27[31mError\27[0m: unexpected end of JSON input\n{\"type\":\"result\",\"result\":\"```js"}
  end,
  slow = function(answer, fault)
    local pieces = math.max(math.min(40, fault.time // 250), fault.time // 5000, 1)  -- so that it is never silent for long
    local output = {}
    for i = 1, pieces do
      output[i] = {at = ("%dms"):format(fault.time * i // pieces), text = ("… (%d of %d)"):format(i, pieces)}
    end
    answer.output, answer.took, answer.speed = output, ("%dms"):format(fault.time), 1
    return answer
  end,
}

return {
  sessions = false,
  usage = "cost",  -- which is none
  options = {"cassette", "playback"},
  settings = {effort = true, args = true, env = true, mcp = true},  -- nobody is called
  check = check,

  command = function(call)
    local playback = call.options.playback or {}
    local faults = faults_of(call, playback)
    local entry, by_attempt = entry_of(call, math.max(1, call.attempt - #faults))
    local answer = answer_of(entry, call, playback)
    -- A try that was not recorded has a prompt that tells what went wrong in this run.
    if call.attempt > 1 and (#faults > 0 or not by_attempt) then answer.prompt = nil end
    local fault = faults[call.attempt]
    if fault then
      local prompt = answer.prompt
      answer = strike[fault.kind](answer, fault)
      answer.prompt, answer.fault = prompt, fault.text
    end
    return {answer = answer}
  end,
}
