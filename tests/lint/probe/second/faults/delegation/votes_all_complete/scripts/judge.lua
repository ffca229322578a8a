local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge this change, only with a view to " .. m.inputs.side .. ".",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The summary", agneto.fence(m.inputs.summary)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
}
