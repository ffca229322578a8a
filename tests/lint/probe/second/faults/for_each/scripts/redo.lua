-- Does the task, and amends it by what was said of it.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What must change", agneto.fence(m.ctx.feedback)),
    }
  end,
}
