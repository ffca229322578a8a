local agneto = require "agneto"

return {
  prompt = function(m)
    if m.ctx.feedback == "" then
      return agneto.join {"Write the letter that is asked for below.", agneto.fence(m.inputs.task)}
    end
    return agneto.join { -- <-- here
      "Amend what you wrote. Change what is asked for, and nothing else.",
      agneto.section("What must change", agneto.fence(m.ctx.feedback)),
    }
  end,
}
