-- Any program: the prompt on its stdin, the reply on its stdout. See docs/providers.md.
local cli_driver = require "cli_driver"
local json = require "json"

local is_text = cli_driver.is_text

local function check(options)
  if type(options.argv) ~= "table" or not is_text(options.argv[1]) then
    error("the provider 'command' does not know what to run; say so in .agneto/config.yaml:"
      .. " 'providers: {command: {argv: [PROGRAM, ARGUMENT, ...]}}'", 0)
  end
end

return {
  sessions = false,
  options = {"argv", "env"},
  settings = {effort = true, args = true, env = true, mcp = true},  -- the program knows
  check = check,
  tools = function() end,  -- the program knows

  command = function(call)
    local options = call.options
    check(options)
    local argv = {}
    cli_driver.append(argv, options.argv)
    cli_driver.append(argv, call.args)
    local env = {
      AGNETO_AGENT = call.agent,
      AGNETO_STATE = call.state,
      AGNETO_TASK = call.task,
      AGNETO_ACCESS = call.access,
      AGNETO_MODEL = call.model,
      AGNETO_TOOLS = table.concat(call.tools, "\n"),
      AGNETO_EFFORT = call.effort,
      AGNETO_MCP = #cli_driver.names(call.mcp) > 0 and json.encode(call.mcp) or "",
    }
    return {argv = argv, env = cli_driver.env(call, env), input = call.prompt}
  end,

  finish = function(output, status, errors)
    if status == 0 then return {result = output} end
    local message = "the program ended with exit status " .. status
    if is_text(errors) then message = message .. ": " .. errors:match("^%s*(.-)%s*$") end
    -- As <sysexits.h> has them: try again later; you may not.
    if status == 75 then return {away = message} end
    if status == 77 then return {refused = message} end
    return {error = message}
  end,
}
