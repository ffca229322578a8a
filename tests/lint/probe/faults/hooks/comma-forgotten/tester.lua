local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Write tests for lines that none reaches.",
      agneto.section("The module", agneto.fence(m.inputs.module))
      "Change no code but tests.", -- <-- here
    }
  end,
}
