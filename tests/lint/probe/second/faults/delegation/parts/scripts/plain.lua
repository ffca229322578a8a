local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Work on the task below in this repository.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
    }
  end,
}
