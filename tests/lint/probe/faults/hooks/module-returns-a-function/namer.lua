local agneto = require "agneto"

return function(m) -- <-- here
  return agneto.join {
    "Find a good name for the thing below.",
    agneto.section("The thing", agneto.fence(m.inputs.thing)),
  }
end
