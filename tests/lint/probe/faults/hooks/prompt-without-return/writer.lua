local agneto = require "agneto"

return {
  prompt = function(m) -- <-- here
    local text = agneto.join { -- <-- here
      "Write tests for the file below.",
      agneto.section("The file", agneto.fence(m.inputs.file)),
    }
  end,
}
