local agneto = require "agneto"

local hooks = {}

function hooks.prompt(m)
  return agneto.join {"Record this decision in docs/adr.", material(m)} -- <-- here
end

local function material(m)
  return agneto.section("The decision", agneto.fence(m.inputs.decision))
end

return hooks
