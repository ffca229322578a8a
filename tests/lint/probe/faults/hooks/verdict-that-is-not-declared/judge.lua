local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {"Is this text friendly or rude?", agneto.fence(m.inputs.text)}
  end,
  parse = function(reply, m)
    if reply:lower():find("friendly", 1, true) then return "OK", {} end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
