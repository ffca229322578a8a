local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Read the report below, and the code that it is about. Change nothing.",
      agneto.section("The report", agneto.fence(m.inputs.report)),
    }
  end,
}
