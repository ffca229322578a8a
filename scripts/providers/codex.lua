-- OpenAI's Codex CLI (npm: @openai/codex). How it is called and why: docs/providers.md.
local cli_driver = require "cli_driver"
local json = require "json"
local outage = require "outage"

local append, is_text = cli_driver.append, cli_driver.is_text

local login = "log in with 'codex login', or check OPENAI_API_KEY"

local sandboxes = {["read-only"] = "read-only", edit = "workspace-write"}

local tools = {command_execution = true, file_change = true, mcp_tool_call = true, web_search = true}

local said = ""      -- the agent's last message, which is its reply
local running = {}   -- ids of tools in flight
local over = false
local structured = false
local lookouts = 0   -- for a network
-- Codex counts a thread's tokens from its beginning, so a session remembers those of earlier calls:
-- "THREAD:INPUT:OUTPUT:CACHED".
local earlier = {input = 0, output = 0, cached = 0}
local thread

-- How the configuration of Codex allows a tool; nil where its name is none.
local function allowing(name)
  if name == "web_search" then return 'web_search="live"' end
  local server, tool = name:match("^mcp__([%w_-]-)__([%w_-]+)$")
  if server then return ('mcp_servers.%s.tools.%s.approval_mode="approve"'):format(server, tool) end
  server = name:match("^mcp__([%w_-]+)__%*$")
  return server and ('mcp_servers.%s.default_tools_approval_mode="approve"'):format(server)
end

-- A string of its configuration; JSON's are TOML's, too.
local function quoted(text) return json.encode(text) end

local function list(texts)
  local all = {}
  for i, text in ipairs(texts) do all[i] = quoted(text) end
  return "[" .. table.concat(all, ", ") .. "]"
end

local function pairs_of(texts)
  local all = {}
  for i, name in ipairs(cli_driver.names(texts)) do all[i] = quoted(name) .. " = " .. quoted(texts[name]) end
  return "{" .. table.concat(all, ", ") .. "}"
end

-- A server in its configuration, with its tools allowed.
local function server(name, given)
  local config = {}
  local function set(key, value) append(config, {"-c", ("mcp_servers.%s.%s=%s"):format(name, key, value)}) end
  if given.url then
    set("url", quoted(given.url))
    if given.headers then set("http_headers", pairs_of(given.headers)) end
  else
    local parts = cli_driver.server(given)
    set("command", quoted(parts.command))
    set("args", list(parts.args))
    if given.env then set("env", pairs_of(given.env)) end
  end
  set("default_tools_approval_mode", quoted("approve"))
  return config
end

local function session(input, output, cached)
  return table.concat({thread, input, output, cached}, ":")
end

local function tool(item)
  if item.type == "command_execution" then
    local command = item.command
    local inner = command:match("^/bin/%w+ %-lc '(.*)'$") or command:match('^/bin/%w+ %-lc "(.*)"$')
    return "shell: " .. (inner or command):match("[^\n]*")
  elseif item.type == "file_change" then
    local paths = {}
    for i, change in ipairs(item.changes) do paths[i] = change.path end
    return "edit: " .. table.concat(paths, ", ")
  elseif item.type == "mcp_tool_call" then
    return tostring(item.server) .. ": " .. tostring(item.tool)
  end
  return "search: " .. tostring(item.query)
end

-- The schema makes the message JSON.
local function reply()
  if structured and json.decode(said) then return "```json\n" .. said .. "\n```" end
  return said
end

local function no_sandbox(item)
  local why = item.status == "failed" and item.aggregated_output:match("^bwrap: [^\n]*")
  return why and {error = "Codex cannot make its sandbox on this machine (" .. why
    .. "); see 'Codex without its sandbox' in docs/providers.md"}
end

-- A command that ends with another status than 0 has told its agent something; it did not fail.
local function trouble(item)
  if item.status ~= "failed" or item.type == "command_execution" then return nil end
  local why = type(item.error) == "table" and item.error.message
  if is_text(why) and why:find("requires approval", 1, true) then
    return {tool_denied = "mcp__" .. tostring(item.server) .. "__" .. tostring(item.tool)}
  end
  return {tool_failed = tool(item) .. (is_text(why) and ": " .. why or "")}
end

local events = {}

events["thread.started"] = function(line)
  thread = line.thread_id
  return {session = session(earlier.input, earlier.output, earlier.cached)}
end

-- It tells of a message when that is whole, so that a silent model may be one that writes. It gives up
-- itself where its server says nothing.
events["turn.started"] = function() return {tool_start = "thinking"} end

events["item.started"] = function(line)
  if not tools[line.item.type] then return nil end
  running[line.item.id] = true
  return {tool_start = tool(line.item)}
end

events["item.completed"] = function(line)
  local item = line.item
  if item.type == "agent_message" then
    said = item.text
    return {text = item.text}
  elseif item.type == "error" then
    return {text = item.message}
  elseif not tools[item.type] then
    return nil
  end
  local list = {}
  if not running[item.id] then list[1] = {tool_start = tool(item)} end
  running[item.id] = nil
  list[#list + 1] = {tool_end = true}
  list[#list + 1] = trouble(item)
  list[#list + 1] = item.type == "command_execution" and no_sandbox(item) or nil
  return list
end

-- What it says that a person has to see to; where there is a time, it is in the words.
local persons = {"usage limit", "spend cap", "out of credits", "to use Codex with your ChatGPT plan",
  "sign in again", "ChatGPT account"}
local nobodys = {"high demand", "at capacity", "stream disconnected"}

local function says(message, words)
  for _, each in ipairs(words) do
    if message:lower():find(each:lower(), 1, true) then return true end
  end
  return false
end

local function failure(message)
  if message:find("[Qq]uota exceeded") then return outage.of_quota(message) end
  if says(message, persons) then return {refused = message} end
  if message:find("Incomplete response", 1, true) then return {error = message} end
  if message:find("^The model .* does not exist") then return outage.of_model(message) end
  local status = tonumber(message:match("status:? (%d%d%d)"))
  if not status and not outage.is_network(message) and not says(message, nobodys) then return {error = message} end
  return outage.of_status(status, message, login)
end

-- Not the end: it tries again, and says `turn.failed` when it gives up. But for a network it waits
-- for ever, so at some point we do that.
events.error = function(line)
  if line.message:find("waiting for network", 1, true) then
    lookouts = lookouts + 1
    if lookouts == 5 then return {away = line.message} end
  end
  return {note = line.message, trying = true}
end

events["turn.failed"] = function(line)
  over = true
  return failure(line.error.message)
end

events["turn.completed"] = function(line)
  over = true
  local usage = line.usage
  local cached = usage.cached_input_tokens or 0
  return {
    result = reply(),
    session = session(usage.input_tokens, usage.output_tokens, cached),
    input_tokens = usage.input_tokens - earlier.input,
    cached_tokens = math.max(0, cached - earlier.cached),
    output_tokens = usage.output_tokens - earlier.output,
  }
end

return {
  program = "codex",
  sessions = true,
  usage = "tokens",
  home = {".codex/auth.json", ".codex/config.toml", ".codex/AGENTS.md"},
  passes = {"OPENAI_*", "CODEX_*"},
  options = {"args", "env", "sandbox"},
  settings = {effort = cli_driver.is_word, args = cli_driver.are_options, env = true, mcp = true},
  verdict = "Your last message is your verdict: one JSON object, and nothing else.",

  tools = function(name)
    if not allowing(name) then error("it is not web_search, mcp__SERVER__TOOL or mcp__SERVER__*", 0) end
  end,

  command = function(call)
    local options = call.options
    local argv = {"codex", "exec", "--json", "--skip-git-repo-check"}
    if call.access == "full" or options.sandbox == "none" or call.sandboxed then
      append(argv, {"--dangerously-bypass-approvals-and-sandbox"})
    else
      append(argv, {"--sandbox", sandboxes[call.access]})
    end
    if call.model ~= "" then append(argv, {"--model", call.model}) end
    if call.effort ~= "" then append(argv, {"-c", "model_reasoning_effort=" .. quoted(call.effort)}) end
    for _, name in ipairs(cli_driver.names(call.mcp)) do append(argv, server(name, call.mcp[name])) end
    for _, name in ipairs(call.tools) do append(argv, {"-c", allowing(name)}) end
    local files = {["README"] = "temporary files of a call of Codex\n"}
    if call.schema ~= null then
      structured = true
      files["schema.json"] = json.encode(call.schema)
      append(argv, {"--output-schema", "{files}/schema.json"})
    end
    append(argv, cli_driver.args(call))
    if call.session ~= "" then
      local id, input, output, cached = call.session:match("^(.-):(%d+):(%d+):?(%d*)$")
      earlier = {input = tonumber(input), output = tonumber(output), cached = tonumber(cached) or 0}
      -- A fork: a call that fails leaves the conversation as it was.
      append(argv, {"fork", id})
    end
    append(argv, {"-"})
    -- With a bubblewrap older than 0.9 its sandbox needs a program in CODEX_HOME, which Codex makes
    -- only outside of the folder for temporary files; without it every edit fails. So that is its own.
    return {argv = argv, env = cli_driver.env(call, {TMPDIR = "{files}"}), input = call.prompt, files = files}
  end,

  event = cli_driver.event(events),

  finish = function(_, status, errors)
    if over then return nil end
    local said_so = is_text(errors) and errors:match("Error: [^\n]*")
    local message = said_so or is_text(errors) and errors:match("^%s*(.-)%s*$")
      or "codex ended with exit status " .. status .. " and no result"
    local event = said_so and failure(message) or {error = message}
    event.session_lost = message:find("no rollout found", 1, true) ~= nil
    return event
  end,
}
