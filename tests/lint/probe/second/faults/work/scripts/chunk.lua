local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do this part of the task, and nothing else.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The part", agneto.fence(m.inputs.chunks[m.ctx.n])),
    }
  end,
}
