local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. Change nothing.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The coder's summary", agneto.fence(m.ctx.summary)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
}
