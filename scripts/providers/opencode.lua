-- opencode (npm: opencode-ai). How it is called and why: docs/providers.md.
local cli_driver = require "cli_driver"
local json = require "json"
local outage = require "outage"

local append, is_text = cli_driver.append, cli_driver.is_text

local login = "log in with 'opencode auth login', or check the provider's key"

-- Read-only has no shell at all: a pattern such as "git log*" also lets "git log > file" pass.
local accesses = {
  ["read-only"] = {edit = "deny", bash = "deny"},
  edit = {edit = "allow", bash = "allow"},
  full = {["*"] = "allow"},
}

local editing = {edit = true, write = true, patch = true, apply_patch = true, multiedit = true}

-- A server as its configuration has it.
local function server(given)
  if given.url then return {type = "remote", url = given.url, headers = given.headers, enabled = true} end
  return {type = "local", command = given.command, environment = given.env, enabled = true}
end

local said = {}     -- what the agent said in this step
local over = false
local cost, input, cached, output = 0, 0, 0, 0

local function tool(part)
  for _, key in ipairs {"command", "filePath", "pattern", "path", "url", "description"} do
    local value = part.state.input[key]
    if is_text(value) then return part.tool .. ": " .. value:match("[^\n]*") end
  end
  return part.tool
end

local function is_logged(line) return line:find("^timestamp=%S+ level=") ~= nil end

-- What it says for people.
local function unlogged(text)
  local kept = {}
  for line in text:gmatch("[^\n]+") do
    if not is_logged(line) then append(kept, {line}) end
  end
  return table.concat(kept, "\n"):match("^%s*(.-)%s*$")
end

local events = {}

-- A tool is reported when it has ended, so a silent step may be one that runs a tool.
function events.step_start(line)
  said = {}
  return {session = line.sessionID, tool_start = "step"}
end

function events.text(line)
  said[#said + 1] = line.part.text
  return {text = line.part.text}
end

-- It offers no tool that is denied; who asks for one has used the tool `invalid`.
function events.tool_use(line)
  local part = line.part
  local list = {{tool_end = true}, {tool_start = tool(part)}}
  if part.tool == "invalid" and is_text(part.state.input.tool) then
    list[1].tool_denied = part.state.input.tool
  elseif part.state.status == "error" then
    local why = is_text(part.state.error) and part.state.error or ""
    if why:find("permission", 1, true) then
      list[1].tool_denied = part.tool
    else
      list[1].tool_failed = tool(part) .. (why ~= "" and ": " .. why or "")
    end
  end
  return list
end

function events.step_finish(line)
  local part = line.part
  cost = cost + part.cost
  input = input + part.tokens.input + part.tokens.cache.read + part.tokens.cache.write
  cached = cached + part.tokens.cache.read
  output = output + part.tokens.output + part.tokens.reasoning
  local event = {tool_end = true, input_tokens = input, cached_tokens = cached, output_tokens = output}
  -- It says 0 of a model whose price it does not know.
  if cost > 0 then event.cost = cost end
  if part.reason ~= "tool-calls" then
    over = true
    event.result = table.concat(said, "\n\n")
  end
  return event
end

function events.error(line)
  over = true
  local data = type(line.error.data) == "table" and line.error.data or {}
  local message = is_text(data.message) and data.message or line.error.name
  if line.error.name == "ProviderAuthError" then return outage.of_login(message, login) end
  if message:find("Model not found", 1, true) then return outage.of_model(message) end
  if is_text(data.responseBody) and data.responseBody:find("insufficient_quota", 1, true) then
    return outage.of_quota(message)
  end
  local nobodys = data.isRetryable == true or outage.is_network(message) or message:find("[Oo]verloaded")
  if type(data.statusCode) ~= "number" and not nobodys then return {error = message} end
  local headers = type(data.responseHeaders) == "table" and data.responseHeaders or {}
  return outage.of_status(data.statusCode, message, login, tonumber(headers["retry-after"]))
end

return {
  program = "opencode",
  sessions = true,
  usage = "cost",
  home = {".local/share/opencode/auth.json", ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc",
    ".config/opencode/AGENTS.md"},
  passes = {"OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_*", "GOOGLE_*", "OPENROUTER_*", "GROQ_*", "MISTRAL_*",
    "DEEPSEEK_*", "XAI_*", "AZURE_*", "AWS_*"},
  options = {"args", "env"},
  settings = {
    effort = cli_driver.is_word,
    args = cli_driver.are_options,
    env = cli_driver.all_but {OPENCODE_PERMISSION = true, OPENCODE_CONFIG_CONTENT = true},
    mcp = true,
  },

  tools = cli_driver.tools(editing, "webfetch, SERVER_TOOL or SERVER_*"),

  command = function(call)
    -- Its log is the only word that it has while it asks again.
    local argv = {"opencode", "run", "--format", "json", "--print-logs", "--log-level", "ERROR"}
    -- A fork: a call that fails leaves the conversation as it was.
    if call.session ~= "" then append(argv, {"--session", call.session, "--fork"}) end
    if call.model ~= "" then append(argv, {"--model", call.model}) end
    if call.effort ~= "" then append(argv, {"--variant", call.effort}) end
    append(argv, cli_driver.args(call))
    local permissions = {}
    for name, decision in pairs(accesses[call.access]) do permissions[name] = decision end
    for _, name in ipairs(call.tools) do permissions[name] = "allow" end
    local servers = {}
    for name, given in pairs(call.mcp) do
      servers[name] = server(given)
      permissions[name .. "_*"] = "allow"
    end
    local env = {OPENCODE_PERMISSION = json.encode(permissions)}
    if next(servers) then env.OPENCODE_CONFIG_CONTENT = json.encode {mcp = servers} end
    return {argv = argv, env = cli_driver.env(call, env), input = call.prompt}
  end,

  event = cli_driver.event(events),

  -- A small model finds a title for the session, which matters to nobody here.
  error_line = function(line)
    if not is_logged(line) or not line:find('message="stream error"', 1, true) then return nil end
    local why = line:match('error%.error="(.-[^\\])"')
    if not why or line:find(" small=true ", 1, true) then return nil end
    return {note = "a request failed: " .. why:gsub('\\"', '"'), trying = true}
  end,

  finish = function(_, status, errors)
    if over then return nil end
    errors = unlogged(errors:gsub("\27%[[%d;]*m", ""))
    local message = is_text(errors) and errors
      or "opencode ended with exit status " .. status .. " and no result"
    return {error = message, session_lost = message:find("Session not found", 1, true) ~= nil}
  end,
}
