local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Explain what the test below checks, and why it fails.",
      agneto.section("The test", agneto.fence(m.input.test)), -- <-- here
    }
  end,
}
