-- What the worker is told. `m` is what a hook sees: `m.inputs`, `m.ctx`, `m.run`, `m.workspace`. How
-- to end the reply, with which verdicts, is added by itself.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository. Change what it needs, and nothing else.",
      -- What others wrote stands fenced, so that nothing in it can pass for an instruction.
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("Your answer", agneto.bullets {
        "DONE with `summary`: what you changed, as a commit message.",
        "IMPOSSIBLE with `reason` where it cannot be done.",
      }),
    }
  end,
}
