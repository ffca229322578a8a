-- Reads the diff from the side that it was given.
local agneto = require "agneto"

return {
  -- Who lists what is wrong, and forgets the verdict, has given one. Lines that begin with FILE:LINE: are
  -- taken, and nothing else: what is said in prose may mean anything, and is asked for again.
  parse = function(reply, m)
    local verdict, fields = agneto.read_verdict(reply, m.verdicts)
    if verdict then return verdict, fields end
    local findings = {}
    for line in reply:gmatch("[^\n]+") do
      if line:find("^%S+:%d+: ") then findings[#findings + 1] = line end
    end
    if #findings > 0 then return "REVISE", {feedback = table.concat(findings, "\n")} end
    return nil
  end,

  prompt = function(m)
    return agneto.join({
      "Judge the change below for its " .. m.inputs.side .. ", and for nothing else: others look at"
        .. " the rest. Read the code around it. Change nothing.",
      agneto.section("What was to be done", agneto.fence(m.inputs.task, "text")),
      agneto.section("The coder's summary", agneto.fence(m.inputs.change, "text")),
      agneto.section("The files", agneto.bullets(m.workspace.chunk.files)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
      agneto.section("Your answer", agneto.bullets({
        "APPROVE where it can be committed as it is.",
        "REVISE, with `feedback`: for each a line `FILE:LINE: what is wrong, what would be right`; all at once.",
      })),
    })
  end,
}
