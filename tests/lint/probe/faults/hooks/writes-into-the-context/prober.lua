local agneto = require "agneto"

return {
  prompt = function(m)
    m.ctx.calls = m.ctx.calls + 1 -- <-- here
    return agneto.join {
      "Is this service up? Look at its status page in the repository's docs.",
      agneto.section("The service", agneto.fence(m.inputs.service)),
    }
  end,
}
