local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Add the endpoint below.",
      agneto.section("The endpoint", agneto.fence(m.inputs.endpoint)),
      "Your last reply could not be used: " .. m.last_error, -- <-- here
    }
  end,
}
