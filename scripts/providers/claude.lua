-- Claude Code (npm: @anthropic-ai/claude-code). How it is called and why: docs/providers.md.
local cli_driver = require "cli_driver"
local json = require "json"
local outage = require "outage"

local append, is_text = cli_driver.append, cli_driver.is_text

local login = "log in with 'claude', or check ANTHROPIC_API_KEY"

-- Read-only takes the editing tools away and denies whatever else would ask for permission, so that
-- of the shell only commands that Claude Code knows to be harmless are left. `plan`, its own
-- read-only mode, would tell every role to make a plan.
local modes = {
  ["read-only"] = {mode = "dontAsk", denied = "Edit,Write,NotebookEdit,EnterWorktree"},
  edit = {mode = "acceptEdits", allowed = "Bash", denied = "EnterWorktree"},
}

local editing = {Edit = true, MultiEdit = true, NotebookEdit = true, Write = true, EnterWorktree = true}

local said = ""     -- the agent's last words
local over = false  -- the result line was seen
local problem       -- with the model server, in Claude Code's word: "billing_error"
local limited_for   -- for how many seconds a limit is reached
local refusals = 0  -- of the key
local answers = {}  -- of the model, by id: the tokens of each
local used = {}     -- tools, by the id of their use: {name =, what =}

local function permissions(call)
  local given = modes[call.access]
  if not given then return {"--dangerously-skip-permissions"} end
  local allowed = {given.allowed}
  append(allowed, call.tools)
  for _, name in ipairs(cli_driver.names(call.mcp)) do append(allowed, {"mcp__" .. name .. "__*"}) end
  local argv = {"--permission-mode", given.mode}
  if #allowed > 0 then append(argv, {"--allowedTools", table.concat(allowed, ",")}) end
  append(argv, {"--disallowedTools", given.denied})
  return argv
end

local function tool(name, input)
  for _, key in ipairs {"command", "file_path", "path", "pattern", "query", "url", "description"} do
    if is_text(input[key]) then return name .. ": " .. input[key]:match("[^\n]*") end
  end
  return name
end

local function tokens_of(usage)
  local cached = usage.cache_read_input_tokens or 0
  return {
    input_tokens = (usage.input_tokens or 0) + (usage.cache_creation_input_tokens or 0) + cached,
    cached_tokens = cached,
    output_tokens = usage.output_tokens or 0,
  }
end

-- The result line says what a call has used; this is for calls that do not come to one.
local function so_far(message)
  if type(message.usage) ~= "table" or not is_text(message.id) then return nil end
  answers[message.id] = tokens_of(message.usage)
  local sum = {input_tokens = 0, cached_tokens = 0, output_tokens = 0}
  for _, tokens in pairs(answers) do
    for name, count in pairs(tokens) do sum[name] = sum[name] + count end
  end
  return sum
end

local events = {}

function events.system(line)
  if line.subtype == "init" then
    return {session = line.session_id}
  elseif line.subtype == "api_retry" then
    local answer = "the model server answered " .. tostring(line.error_status) .. " ("
      .. tostring(line.error) .. ")"
    -- It would go on trying for minutes with a key that is refused; once it may just have to be renewed.
    if line.error_status == 401 or line.error_status == 403 then refusals = refusals + 1 end
    if refusals == 2 then return outage.of_login(answer, login) end
    return {note = answer .. "; trying again", trying = true}
  elseif line.subtype == "permission_denied" and is_text(line.tool_name) then
    used[line.tool_use_id or ""] = nil  -- its result, an error, says the same
    return {tool_denied = line.tool_name}
  end
end

function events.rate_limit_event(line, now)
  local limit = type(line.rate_limit_info) == "table" and line.rate_limit_info or {}
  local rejected = limit.status == "rejected" and type(limit.resetsAt) == "number"
  limited_for = rejected and math.max(0, limit.resetsAt - now) or nil
end

function events.assistant(line)
  local list = {so_far(line.message)}
  problem = line.error
  for _, part in ipairs(line.message.content) do
    if part.type == "text" and is_text(part.text) then
      said = part.text
      list[#list + 1] = {text = part.text}
    elseif part.type == "tool_use" then
      local what = tool(part.name, part.input)
      used[part.id or ""] = {name = part.name, what = what}
      list[#list + 1] = {tool_start = what}
    end
  end
  return list
end

function events.user(line)
  local list = {}
  if type(line.message.content) ~= "table" then return list end
  for _, part in ipairs(line.message.content) do
    if part.type == "tool_result" then
      local use = used[part.tool_use_id or ""]
      used[part.tool_use_id or ""] = nil
      -- A command that ends with another status than 0 has told its agent something; it did not fail.
      local failed = part.is_error and use and use.name ~= "Bash"
      list[#list + 1] = {tool_end = true, tool_failed = failed and use.what or nil}
    end
  end
  return list
end

-- The cost of this call: `total_cost_usd` counts a continued session's earlier calls again.
local function cost(line)
  if type(line.model_usage_since_last_result) ~= "table" then return line.total_cost_usd end
  local sum = 0
  for _, usage in pairs(line.model_usage_since_last_result) do sum = sum + usage.costUSD end
  return sum
end

-- Whose failure it is, by Claude Code's word for it.
local kinds = {
  billing_error = outage.of_quota,
  model_not_found = outage.of_model,
  account_on_hold = function(message) return {refused = message} end,
  rate_limit = function(message) return {away = message, wait = limited_for} end,
}
for _, word in ipairs {"authentication_failed", "oauth_org_not_allowed", "verification_required",
  "cloud_credential_error"} do
  kinds[word] = function(message) return outage.of_login(message, login) end
end
for _, word in ipairs {"overloaded", "server_error"} do
  kinds[word] = function(message) return {away = message} end
end

local function failed(event, message, status)
  local kind
  if kinds[problem] then
    kind = kinds[problem](message)
  elseif type(status) == "number" then
    kind = outage.of_status(status, message, login)
  else
    kind = outage.is_network(message) and {away = message} or {error = message}
  end
  for name, value in pairs(kind) do event[name] = value end
  return event
end

local function failure(line)
  if type(line.errors) == "table" and is_text(line.errors[1]) then return line.errors[1] end
  if is_text(line.result) then return line.result end
  return "claude gave up: " .. tostring(line.subtype)
end

function events.result(line)
  over = true
  local event = type(line.usage) == "table" and tokens_of(line.usage) or {}
  event.cost = cost(line)
  -- The verdict was not given in its form, again and again; what was done and said stands.
  local formless = line.subtype == "error_max_structured_output_retries"
  if not formless and (line.is_error or line.subtype ~= "success") then
    local message = failure(line)
    event.session_lost = message:find("No conversation found", 1, true) ~= nil
    return failed(event, message, line.api_error_status)
  end
  event.session = line.session_id
  if type(line.structured_output) == "table" then
    event.result = said .. "\n\n```json\n" .. json.encode(line.structured_output) .. "\n```"
  else
    event.result = formless and said or line.result
  end
  return event
end

return {
  program = "claude",
  sessions = true,
  usage = "cost",
  home = {".claude.json", ".claude/.credentials.json", ".claude/settings.json", ".claude/CLAUDE.md"},
  passes = {"ANTHROPIC_*", "CLAUDE_*", "API_TIMEOUT_MS", "DISABLE_*"},
  options = {"args", "env"},
  settings = {
    effort = cli_driver.one_of {"low", "medium", "high", "xhigh", "max"},
    args = cli_driver.are_options,
    env = true,
    mcp = true,
  },
  verdict = "At the end give your verdict with the tool `StructuredOutput`, and not in your words as well.",

  tools = function(name)
    if editing[name:match("^%w*")] then
      error("whether an agent edits is `access` in the workflow", 0)
    end
    if not (name:find("^%a[%w_-]*%*?$") or name:find("^%a%w*%([^()]+%)$")) then
      error("it is no name like WebFetch, WebFetch(domain:example.com), mcp__SERVER__TOOL or mcp__SERVER__*", 0)
    end
  end,

  command = function(call)
    local files
    -- Parts of messages are not read: they say that the model is at work.
    local argv = {"claude", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"}
    append(argv, permissions(call))
    -- A fork: a call that fails leaves the conversation as it was.
    if call.session ~= "" then append(argv, {"--resume", call.session, "--fork-session"}) end
    if call.model ~= "" then append(argv, {"--model", call.model}) end
    if call.effort ~= "" then append(argv, {"--effort", call.effort}) end
    local servers = {}
    for name, server in pairs(call.mcp) do servers[name] = cli_driver.server(server) end
    if next(servers) then
      files = {["mcp.json"] = json.encode {mcpServers = servers}}
      append(argv, {"--mcp-config", "{files}/mcp.json"})
    end
    if call.schema ~= null then append(argv, {"--json-schema", json.encode(call.schema)}) end
    append(argv, cli_driver.args(call))
    return {argv = argv, env = cli_driver.env(call), input = call.prompt, files = files}
  end,

  event = function(text, now)
    if text:sub(1, 22) == '{"type":"stream_event"' then return nil end
    local line = json.decode(text)
    if type(line) ~= "table" or not events[line.type] then return nil end
    -- A sub-agent's doings are a part of the tool that started it.
    if is_text(line.parent_tool_use_id) and line.subtype ~= "permission_denied" then
      return line.type == "assistant" and so_far(line.message) or nil
    end
    return events[line.type](line, now)
  end,

  finish = function(_, status, errors)
    if over then return nil end
    if is_text(errors) then return {error = errors:match("^%s*(.-)%s*$")} end
    return {error = "claude ended with exit status " .. status .. " and no result"}
  end,
}
