local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence("diff", m.workspace.chunk.diff)), -- <-- here
    }
  end,
}
