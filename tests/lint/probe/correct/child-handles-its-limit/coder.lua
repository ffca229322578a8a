local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do this task.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The tests say", agneto.fence(m.ctx.feedback)),
    }
  end,
}
