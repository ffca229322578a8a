local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. GOOD where nothing but the format changed, else BAD.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.patch, "diff")), -- <-- here
    }
  end,
}
