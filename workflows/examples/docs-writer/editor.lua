-- Reads the page as its reader would. What a program can find, the style checker has found.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join({
      "Judge the documentation in the diff below, as its reader: somebody who wants to get something"
        .. " done and knows less than its writer. Change nothing.",
      agneto.section("What was to be documented", agneto.fence(m.inputs.task, "text")),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
      agneto.section("Your answer", agneto.bullets({
        "GOOD where a reader is helped, and all that it says is true: look at the code.",
        "REVISE, with `feedback`: what is wrong, missing or in the way, and where. All at once.",
      })),
    })
  end,
}
