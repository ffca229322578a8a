-- What the bundled drivers share that read one JSON object a line.
local json = require "json"

local cli_driver = {}

function cli_driver.is_text(value) return type(value) == "string" and value ~= "" end

function cli_driver.append(list, more)
  for _, value in ipairs(more) do list[#list + 1] = value end
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
