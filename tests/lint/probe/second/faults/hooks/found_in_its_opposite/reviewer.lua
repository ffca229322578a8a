local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. The last line is APPROVED or NOT_APPROVED.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
  parse = function(reply)
    if reply:find("APPROVED", 1, true) then return "APPROVED", {} end -- <-- here
    if reply:find("NOT_APPROVED", 1, true) then return "NOT_APPROVED", {} end -- <-- here
    return nil, "say APPROVED or NOT_APPROVED"
  end,
}
