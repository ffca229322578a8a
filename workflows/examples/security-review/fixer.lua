-- Fixes what the security reviewer found, and answers what is said of the fix.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "A security review found what stands below. Fix it in this repository: the cause, not the example;"
        .. " and look whether the same is wrong elsewhere. Add a test that fails without the fix. Change"
        .. " nothing else, and do not commit.",
      agneto.section("What was to be done", agneto.fence(m.inputs.task, "text")),
      agneto.section("The findings", agneto.fence(m.ctx.findings, "text")),
      agneto.section("What was said of it since", agneto.fence(m.ctx.feedback, "text")),
      agneto.section("The command that must pass", agneto.fence(m.inputs.verify, "sh")),
      agneto.section("Your answer", agneto.bullets {
        "FIXED, with a `summary`: what you fixed, as a commit message.",
        "DISPUTED, with `argument`, where a finding is wrong: why nobody can misuse it so. A person decides.",
      }),
    }
  end,
}
