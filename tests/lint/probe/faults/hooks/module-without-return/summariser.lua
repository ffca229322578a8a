local agneto = require "agneto"

local hooks = {} -- <-- here

function hooks.prompt(m) -- <-- here
  return agneto.join {
    "Summarise these notes in docs/decisions.md: what was decided, by whom.",
    agneto.section("The notes", agneto.fence(m.inputs.notes)),
  }
end
