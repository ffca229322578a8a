local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do what the ticket asks for, in this repository.",
      agneto.section("The ticket", agneto.fence(m.inputs.tikcet)), -- <-- here
    }
  end,
}
