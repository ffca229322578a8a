local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Do the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What must change", agneto.fence(m.ctx.feedback)),
    }
  end,
}
