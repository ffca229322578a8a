local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Do the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("Remarks", agneto.bullets(m.ctx.remarks)), -- <-- here
    }
  end,
}
