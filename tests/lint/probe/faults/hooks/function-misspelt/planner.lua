local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Plan how to reach this goal, in steps that a person can check.",
      agneto.sections("The goal", agneto.fence(m.inputs.goal)), -- <-- here
    }
  end,
}
