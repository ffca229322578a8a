local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Find a command that shows the bug below.",
      agneto.section("The issue", agneto.fence(m.inputs.issue)),
    }
  end,
}
