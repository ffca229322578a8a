local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Refactor the module below without changing what it does.",
      agneto.section("The module", agneto.fence(m.inputs.module)),
      agneto.section("Your answer", agneto.bullets {
        "DONE where the code is changed.", -- <-- here
        "BLOCKED where that cannot be done.", -- <-- here
      }),
    }
  end,
}
