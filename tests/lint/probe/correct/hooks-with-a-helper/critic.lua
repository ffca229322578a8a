local agneto = require "agneto"
local parts = require "parts"

local function answer()
  return agneto.bullets {"GOOD where it can be committed.", "REMARKS, with `remarks`, where it must change first."}
end

return {
  prompt = function(m)
    return agneto.join {"Judge this change.", parts.task(m), parts.material("The change", m.workspace.chunk.diff), answer()}
  end,
}
