-- Translates the page.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Translate into '" .. m.inputs.language .. "' what was just documented in this repository. Put it where"
        .. " translations are, or beside the page, with the language in its name. Change nothing else.",
      agneto.section("What was documented", agneto.fence(m.inputs.task, "text")),
      agneto.section("The change", agneto.fence(m.inputs.summary, "text")),
      agneto.section("How", agneto.bullets {
        "Commands, options, output and code stay as they are.",
        "Say it as somebody would who thinks in that language.",
      }),
    }
  end,
}
