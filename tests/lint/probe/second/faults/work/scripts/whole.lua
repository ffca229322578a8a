local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge all that this run has changed.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.diff, "diff")),
    }
  end,
}
