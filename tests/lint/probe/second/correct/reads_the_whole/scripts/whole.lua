local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the whole of this work. Change nothing.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("All that was changed", agneto.fence(m.workspace.diff, "diff")),
      agneto.section("The last commit", m.ctx.summary),
    }
  end,
}
