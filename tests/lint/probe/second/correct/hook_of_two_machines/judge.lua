local agneto = require "agneto"
return {
  prompt = function(m)
    local side = m.inputs.side
    return agneto.join {
      side and ("Judge the change for its " .. side .. ", and for nothing else.") or "Judge the change.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
}
