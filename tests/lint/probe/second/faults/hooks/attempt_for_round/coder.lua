local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Do the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What must change", agneto.fence(m.ctx.feedback)),
      m.attempt >= m.inputs.max_rounds and "This is the last round: leave out what is not needed." or "", -- <-- here
    }
  end,
}
