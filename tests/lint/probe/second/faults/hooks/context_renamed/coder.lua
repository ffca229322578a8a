local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Do the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("What the reviewer says", agneto.fence(m.ctx.feedback)), -- <-- here
    }
  end,
}
