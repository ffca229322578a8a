local agneto = require "agneto"
return {
  prompt = function(m)
    m.ctx.rounds = m.ctx.rounds + 1 -- <-- here
    return agneto.join {
      "Do the task below. This is round " .. m.ctx.rounds .. ".",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What must change", agneto.fence(m.ctx.feedback)),
    }
  end,
}
