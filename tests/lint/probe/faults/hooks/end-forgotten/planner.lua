local agneto = require "agneto"

return {
  prompt = function(m)
    local parts = {"Plan this.", agneto.fence(m.inputs.goal)}
    if m.ctx.feedback ~= "" then
      parts[#parts + 1] = agneto.section("Change", agneto.fence(m.ctx.feedback))
    return agneto.join(parts)
  end,
} -- <-- here
