local agneto = require "agneto"

return {
  prompt = function(m)
    local parts = {"Do this.", agneto.fence(m.inputs.task)}
    if not m.ctx.feedback == "" then -- <-- here
      parts[#parts + 1] = agneto.section("Change", agneto.fence(m.ctx.feedback))
    end
    return agneto.join(parts)
  end,
}
