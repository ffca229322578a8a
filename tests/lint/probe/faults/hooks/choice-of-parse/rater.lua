local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Rate this incident.", agneto.fence(m.inputs.incident)} end,
  parse = function(reply, m)
    if reply:find("!!!", 1, true) then return "RATED", {severity = "urgent"} end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
