-- What the bundled drivers share that read one JSON object a line.
local json = require "json"

local cli_driver = {}

function cli_driver.is_text(value) return type(value) == "string" and value ~= "" end

function cli_driver.append(list, more)
  for _, value in ipairs(more) do list[#list + 1] = value end
end

-- The names of a map, in their order.
function cli_driver.names(map)
  local names = {}
  for name in pairs(map) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- Arguments of the program: those that its provider has in the configuration, then the agent's.
function cli_driver.args(call)
  local args = {}
  cli_driver.append(args, call.options.args or {})
  cli_driver.append(args, call.args)
  return args
end

-- Variables of its environment: those of the driver, then as above.
function cli_driver.env(call, own)
  local env = {}
  for _, each in ipairs {own or {}, call.options.env or {}, call.env} do
    for name, value in pairs(each) do env[name] = value end
  end
  return env
end

-- An MCP server as most CLIs have it in their JSON.
function cli_driver.server(given)
  if given.url then return {type = "http", url = given.url, headers = given.headers} end
  local args = {}
  for i = 2, #given.command do args[#args + 1] = given.command[i] end
  return {command = given.command[1], args = args, env = given.env}
end

-- For a driver's `settings`. Where a CLI takes a prompt as an argument, these must be options.
function cli_driver.are_options(args)
  if args[1]:sub(1, 1) ~= "-" then error("they begin with '" .. args[1] .. "', which is no option", 0) end
  for _, arg in ipairs(args) do
    if arg == "--" then error("what comes behind '--' is no option", 0) end
  end
end

function cli_driver.one_of(known)
  return function(word)
    for _, each in ipairs(known) do
      if word == each then return end
    end
    error("'" .. word .. "' is none of " .. table.concat(known, ", "), 0)
  end
end

function cli_driver.is_word(word)
  if not word:find("^%a[%w_-]*$") then error("'" .. word .. "' is no word", 0) end
end

-- `reserved`: variables by which the driver itself says what an agent may do.
function cli_driver.all_but(reserved)
  return function(name)
    if reserved[name] then error("the driver sets " .. name .. " itself", 0) end
  end
end

-- A driver's `event`: what the function of `events` makes of the line that is named as the line's `type`.
function cli_driver.event(events)
  return function(text)
    local line = json.decode(text)
    if type(line) ~= "table" or not events[line.type] then return nil end
    return events[line.type](line)
  end
end

-- A driver's `tools`: refuses names of tools that edit, and what is no name as in `examples`.
function cli_driver.tools(editing, examples)
  return function(name)
    if editing[name] then error("whether an agent edits is `access` in the workflow", 0) end
    if not name:find("^%a[%w_-]*%*?$") then error("it is no name like " .. examples, 0) end
  end
end

return cli_driver
