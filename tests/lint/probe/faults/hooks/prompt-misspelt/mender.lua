local agneto = require "agneto"

return {
  promt = function(m) -- <-- here
    return agneto.join {
      "The build is broken. Mend it with the smallest change.",
      agneto.section("The log", agneto.fence(m.inputs.log)),
    }
  end,
}
