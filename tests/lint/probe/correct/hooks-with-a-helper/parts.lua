local agneto = require "agneto"

local parts = {}

function parts.material(title, text)
  if text == nil or text == null or text == "" then return "" end
  return agneto.section(title, agneto.fence(text))
end

function parts.task(m) return parts.material("The task", m.inputs.task) end

return parts
