local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository. Change what it needs, and nothing else.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What to change first", agneto.fence(m.ctx.feedback)),
    }
  end,
}
