local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the plan below.",
      agneto.fence(m.inputs.plan),
      agneto.bullets {
        "SOUND where it can be carried out.",
        "UNSOUND, with `explanation`: what is missing.", -- <-- here
      },
    }
  end,
}
