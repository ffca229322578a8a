local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Does the file below keep to the rule? GOOD or BAD.",
      agneto.section("The rule", agneto.fence(m.inputs.rule)),
      agneto.section("The file", m.workspace.chunk.files[0]), -- <-- here
    }
  end,
}
