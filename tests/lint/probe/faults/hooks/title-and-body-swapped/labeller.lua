local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Which area of the code is this about?",
      agneto.section(m.inputs.issue, "The issue"), -- <-- here
    }
  end,
}
