-- Writes the page, and amends it by what the style checker, the editor or a person says.
local agneto = require "agneto"

local function first(m)
  return {
    "Write documentation for what is asked below, in the files of this repository where a reader"
      .. " would look for it.",
    agneto.section("What is to be documented", agneto.fence(m.inputs.task, "text")),
    agneto.section("What a person says of it", agneto.fence(m.ctx.briefing, "text")),
    agneto.section("How", agneto.bullets({
      "Read the code first: what you write must be true.",
      "Say what the reader can do, then how; one thought a sentence.",
      "Every example must work. Try it.",
      "Look at a page that is there already, and write like it.",
    })),
  }
end

local function again(m)
  return {
    "Amend what you wrote. Change what is asked for, and nothing else.",
    agneto.section("What must change", agneto.fence(m.ctx.feedback, "text")),
  }
end

return {
  prompt = function(m)
    local parts = m.ctx.feedback == "" and first(m) or again(m)
    parts[#parts + 1] = "DRAFTED, with a `summary`: the whole change as a commit message."
    return agneto.join(parts)
  end,
}
