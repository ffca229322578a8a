-- Any program: the prompt on its stdin, the reply on its stdout. See docs/providers.md.

local function is_text(value) return type(value) == "string" and value ~= "" end

local function check(options)
  if type(options.argv) ~= "table" or not is_text(options.argv[1]) then
    error("the provider 'command' does not know what to run; say so in .agneto/config.yaml:"
      .. " 'providers: {command: {argv: [PROGRAM, ARGUMENT, ...]}}'", 0)
  end
end

return {
  sessions = false,
  options = {"argv", "env"},
  check = check,
  tools = function() end,  -- the program knows

  command = function(call)
    local options = call.options
    check(options)
    local env = {
      AGNETO_AGENT = call.agent,
      AGNETO_STATE = call.state,
      AGNETO_TASK = call.task,
      AGNETO_ACCESS = call.access,
      AGNETO_MODEL = call.model,
      AGNETO_TOOLS = table.concat(call.tools, "\n"),
    }
    for name, value in pairs(options.env or {}) do env[name] = value end
    return {argv = options.argv, env = env, input = call.prompt}
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
