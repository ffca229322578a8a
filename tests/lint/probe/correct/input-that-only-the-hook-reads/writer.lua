local agneto = require "agneto"

local tones = {plain = "In plain words.", cheerful = "Cheerfully, but without exclamation marks."}

return {
  prompt = function(m)
    return agneto.join {
      "Add an entry to CHANGELOG.md for the commits below. " .. tones[m.inputs.tone],
      agneto.section("The commits", agneto.fence(m.ctx.history)),
      agneto.section("Your answer", agneto.bullets {
        "WRITTEN where the file is changed.",
        "NOTHING where no user would notice any of it.",
      }),
    }
  end,
}
