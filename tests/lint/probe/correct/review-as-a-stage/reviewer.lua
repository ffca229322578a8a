local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      m.inputs.strict and "Judge this plan strictly." or "Judge this plan.",
      agneto.section("The plan", agneto.fence(m.inputs.plan)),
      agneto.section("Your remarks so far", agneto.bullets(m.ctx.remarks)),
    }
  end,
}
