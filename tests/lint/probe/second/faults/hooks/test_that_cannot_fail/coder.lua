local agneto = require "agneto"
return {
  prompt = function(m) return agneto.join {"Do this.", agneto.fence(m.inputs.task)} end,
  parse = function(reply, m)
    if reply:find("^I cannot") then return "IMPOSSIBLE", {} end
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
