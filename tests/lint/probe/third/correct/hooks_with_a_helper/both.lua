local agneto = require "agneto"
local parts = require "parts"

return {
  prompt = function(m)
    local judging = #m.verdicts > 0
    local list = {parts.words[m.state] or parts.words.other, parts.task(m)}
    if judging then
      list[#list + 1] = agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff"))
    elseif m.ctx.feedback ~= "" then
      list[#list + 1] = agneto.section("What must change", agneto.fence(m.ctx.feedback))
    end
    return agneto.join(list)
  end,
}
