local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Write a summary of the topic below into docs/summary.md, in at most 100 words.",
      agneto.section("The topic", agneto.fence(m.inputs.topic)),
    }
  end,
}
