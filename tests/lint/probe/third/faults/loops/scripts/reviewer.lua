local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. Change nothing.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
}
