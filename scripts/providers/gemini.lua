-- Google's Gemini CLI (npm: @google/gemini-cli). How it is called and why: docs/providers.md.
local cli_driver = require "cli_driver"
local outage = require "outage"

local append, is_text = cli_driver.append, cli_driver.is_text

local login = "log in with 'gemini', or check GEMINI_API_KEY"

-- It has sessions, but its own clean-up deletes one that was continued as soon as another begins
-- (0.61), so the engine sends what was said before.
--
-- Without a terminal, `default` takes away every tool that would ask: editing and the shell.
local modes = {["read-only"] = "default", edit = "auto_edit", full = "yolo"}

local rule = [=[
[[rule]]
toolName = "%s"
decision = "allow"
priority = 100
]=]

local editing = {write_file = true, replace = true, edit = true}

local said = {}     -- what the agent said since its last tool
local used = {}     -- tools, by the id of their use: {name =, what =}
local over = false
local refused       -- by the server, with a status that it did not say yet: its words
local tried         -- the status for which it has asked again last

local function tool(line)
  for _, key in ipairs {"command", "file_path", "pattern", "path", "query", "dir_path", "url"} do
    local value = (line.parameters or {})[key]
    if is_text(value) then return line.tool_name .. ": " .. value:match("[^\n]*") end
  end
  return line.tool_name
end

-- It tells the server's own words, which are JSON, or what it makes of them. `status`: the server's, where
-- these words have none.
local function failure(message, status)
  if message:find("exhausted your daily quota", 1, true) then return outage.of_quota(message) end
  if message:find("API_KEY_INVALID", 1, true) then return outage.of_login(message, login) end
  if message:find("is not found for API version", 1, true) then return outage.of_model(message) end
  status = tonumber(message:match('"code":%s*(%d%d%d)') or message:match("status:? (%d%d%d)")) or status
  local count, unit = message:match("retry in ([%d.]+)(m?s)")
  local wait = count and math.ceil(tonumber(count) / (unit == "ms" and 1000 or 1))
  local nobodys = wait or outage.is_network(message) or message:find("overloaded", 1, true)
    or message:find("Resource has been exhausted", 1, true)
  return (status or nobodys) and outage.of_status(status, message, login, wait) or {error = message}
end

local events = {}

function events.message(line)
  if line.role ~= "assistant" then return nil end
  tried = nil
  said[#said + 1] = line.content
  return {text = line.content}
end

function events.tool_use(line)
  said = {}
  local what = tool(line)
  used[line.tool_id or ""] = {name = line.tool_name, what = what}
  return {tool_start = what}
end

-- It offers no tool that it would have to ask for, so that one is not there which was not allowed.
function events.tool_result(line)
  local use = used[line.tool_id or ""]
  if line.status ~= "error" or not use then return {tool_end = true} end
  local problem = type(line.error) == "table" and line.error or {}
  if problem.type == "tool_not_registered" then return {tool_end = true, tool_denied = use.name} end
  local why = is_text(problem.message) and ": " .. problem.message or ""
  return {tool_end = true, tool_failed = use.what .. why}
end

function events.result(line)
  over = true
  local stats = type(line.stats) == "table" and line.stats or {}
  local event = {input_tokens = stats.input_tokens, cached_tokens = stats.cached,
    output_tokens = stats.output_tokens}
  if line.status == "success" then
    event.result = table.concat(said)
  else
    local message = type(line.error) == "table" and line.error.message or tostring(line.status)
    local meant = failure(message, tried)
    if meant.error then
      refused = message
    else
      for name, value in pairs(meant) do event[name] = value end
    end
  end
  return event
end

-- It ends with the status of the server, of which the system keeps the low byte.
local function status_of_exit(status) return status >= 144 and status + 256 or tried end

return {
  program = "gemini",
  sessions = false,
  usage = "tokens",
  home = {".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json",
    ".gemini/installation_id", ".gemini/GEMINI.md"},
  passes = {"GEMINI_*", "GOOGLE_*"},
  options = {"args", "env"},
  -- How much a model thinks, and which MCP servers there are, it takes from settings of its user and of
  -- the workspace alone (0.61).
  settings = {args = cli_driver.are_options, env = true},

  tools = cli_driver.tools(editing, "web_fetch, mcp_SERVER_TOOL or mcp_SERVER_*"),

  command = function(call)
    local argv = {"gemini", "--output-format", "stream-json", "--skip-trust",
      "--approval-mode", modes[call.access]}
    local files
    local allowed = call.access == "edit" and {"run_shell_command"} or {}
    append(allowed, call.tools)
    if #allowed > 0 then
      for i, name in ipairs(allowed) do allowed[i] = rule:format(name) end
      files = {["policy.toml"] = table.concat(allowed, "\n")}
      append(argv, {"--policy", "{files}/policy.toml"})
    end
    if call.model ~= "" then append(argv, {"--model", call.model}) end
    append(argv, cli_driver.args(call))
    return {argv = argv, env = cli_driver.env(call), input = call.prompt, files = files}
  end,

  event = cli_driver.event(events),

  error_line = function(line)
    local why, rest = line:match("^Attempt %d+ failed(.-)%. Retrying(.*)")
    if not why then return nil end
    local status = why:match("status (%d%d%d)")
    tried = tonumber(status)
    if status then return {note = "the model server answered " .. status .. "; trying again", trying = true} end
    why = why:match("^: (.+)") or rest:match("%.%.%. *(.+)") or "an attempt failed"
    return {note = why .. "; trying again", trying = true}
  end,

  finish = function(_, status, errors)
    if refused then return failure(refused, status_of_exit(status)) end
    if over then return nil end
    if is_text(errors) then
      if status == 41 then return outage.of_login(errors:match("^%s*(.-)%s*$"), login) end
      -- A tool's error is none of the call's.
      local others = errors:gsub("Error executing tool[^\n]*", "")
      local said_so = others:match("Error[^\n]*")
      return said_so and failure(said_so) or {error = errors:match("^%s*(.-)%s*$")}
    end
    return {error = "gemini ended with exit status " .. status .. " and no result"}
  end,
}
