local agneto = require "agneto"

return {
  prompt = function(m)
    m.ctx.rounds = m.ctx.rounds + 1 -- <-- here
    return agneto.join {
      "This is round " .. m.ctx.rounds .. " of the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What to change first", agneto.fence(m.ctx.feedback)),
    }
  end,
}
