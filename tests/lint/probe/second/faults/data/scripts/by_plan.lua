local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Carry out this plan in this repository.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The plan", agneto.fence(m.ctx.plan)),
    }
  end,
}
