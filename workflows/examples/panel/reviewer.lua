-- Reads the diff from the side that it was given.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join({
      "Judge the change below for its " .. m.inputs.side .. ", and for nothing else: others look at"
        .. " the rest. Read the code around it. Change nothing.",
      agneto.section("What was to be done", agneto.fence(m.inputs.task, "text")),
      agneto.section("The coder's summary", agneto.fence(m.inputs.change, "text")),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
      agneto.section("Your answer", agneto.bullets({
        "APPROVE where it can be committed as it is.",
        "REVISE, with `feedback`: where, what is wrong, what would be right; all at once.",
      })),
    })
  end,
}
