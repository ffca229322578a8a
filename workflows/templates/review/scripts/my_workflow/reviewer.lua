-- What the reviewer is told: the task, and the change as a diff.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. Read the files around it, and change nothing.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The coder's summary", agneto.fence(m.ctx.summary)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
      agneto.section("Your answer", agneto.bullets {
        "APPROVED where it does the task, works, and is tested.",
        "NEEDS_WORK with `feedback`: what is wrong and what would be right, everything at once.",
      }),
    }
  end,
}
