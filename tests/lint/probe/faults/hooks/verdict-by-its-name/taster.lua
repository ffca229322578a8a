local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Would this recipe taste good?", agneto.fence(m.inputs.recipe)} end,
  parse = function(reply, m)
    if reply:find("delicious", 1, true) then return m.verdicts.GOOD.name, {} end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
