local agneto = require "agneto"

local Areas = {}
Areas.__index = Areas

function Areas.new(names) return setmetatable({names = names}, Areas) end

function Areas:has(name)
  for _, known in ipairs(self.names) do
    if known == name then return true end
  end
  return false
end

function Areas:text() return table.concat(self.names, ", ") end

local areas = Areas.new {"parser", "editor", "network"}

local hooks = {}

function hooks.prompt(m)
  return agneto.join {
    "Label the issue by one of: " .. areas:text() .. ".",
    agneto.section("The issue", agneto.fence(m.inputs.issue)),
  }
end

function hooks.parse(reply, m)
  local verdict, fields = agneto.read_verdict(reply, m.verdicts)
  if verdict == "LABELLED" and not areas:has(fields.area) then return nil, "the area is one of " .. areas:text() end
  return verdict, fields
end

return hooks
