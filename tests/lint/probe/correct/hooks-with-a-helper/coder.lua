local agneto = require "agneto"
local parts = require "parts"

return {
  prompt = function(m)
    return agneto.join {"Do the task.", parts.task(m), parts.material("Remarks", m.ctx.remarks)}
  end,
}
