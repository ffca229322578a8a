local agneto = require "agneto"

return {
  prompt = function(m)
    return { -- <-- here
      "Hold what this page claims against the code.",
      agneto.section("The page", agneto.fence(m.inputs.page)),
    }
  end,
}
