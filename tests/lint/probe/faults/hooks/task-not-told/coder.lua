local agneto = require "agneto"

return {
  prompt = function(m) -- <-- here
    return agneto.join {
      "Do the task in this repository.",
      agneto.section("How", agneto.bullets {"Change as little as you can.", "Test what you change."}),
    }
  end,
}
