local agneto = require "agneto"

return {
  prompt = function(m)
    local again = m.ctx.rounds ~= null and m.ctx.rounds > 1
    return agneto.join {
      again and "Look again, in the history of the files, who owns this." or "Who owns the code that this is about?",
      agneto.section("The issue", agneto.fence(m.inputs.issue)),
    }
  end,
}
