local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository. A reviewer judges the change.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What to change first", agneto.fence(m.ctx.feedback)),
    }
  end,
}
