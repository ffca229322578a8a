local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Say whether this plan is good.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The plan", agneto.fence(m.ctx.plan)),
    }
  end,
}
