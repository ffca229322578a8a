local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do one step of the task.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The step", agneto.fence(m.ctx.current)),
    }
  end,
}
