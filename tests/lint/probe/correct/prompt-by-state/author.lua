local agneto = require "agneto"

local words = {
  OUTLINING = "Outline a tutorial in docs/outline.md.",
  WRITING = "Write the tutorial that docs/outline.md outlines.",
}

return {
  prompt = function(m)
    local text = words[m.state] or "Read the tutorial again as a beginner, and mend what is not clear."
    return agneto.join {text, agneto.section("The subject", agneto.fence(m.inputs.subject))}
  end,
}
