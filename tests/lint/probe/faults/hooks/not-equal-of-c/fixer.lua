local agneto = require "agneto"

return {
  prompt = function(m)
    local parts = {"Fix the type errors in the package " .. m.inputs.package .. "."}
    if m.ctx.errors != "" then -- <-- here
      parts[2] = agneto.section("The errors", agneto.fence(m.ctx.errors))
    end
    return agneto.join(parts)
  end,
}
