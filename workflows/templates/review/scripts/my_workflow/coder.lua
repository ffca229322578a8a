-- What the coder is told. `m` is what a hook sees: `m.inputs`, `m.ctx`, `m.run`, `m.workspace`. How
-- to end the reply, with which verdicts, is added by itself.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository. A reviewer judges the change.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      -- Sections of nothing are left out: at first there is no feedback.
      agneto.section("What to change first", agneto.fence(m.ctx.feedback)),
      agneto.section("Your answer", agneto.bullets {
        "CHANGED with `summary`: what you changed, as a commit message.",
        "IMPOSSIBLE with `reason` where it cannot be done.",
      }),
    }
  end,
}
