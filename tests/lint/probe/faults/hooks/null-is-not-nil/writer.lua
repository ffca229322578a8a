local agneto = require "agneto"

return {
  prompt = function(m)
    if m.ctx.feedback ~= nil then -- <-- here
      return agneto.join {"Revise your page.", agneto.section("What is wrong", agneto.fence(m.ctx.feedback))}
    end
    return agneto.join {"Write a how-to page.", agneto.section("The subject", agneto.fence(m.inputs.subject))}
  end,
}
