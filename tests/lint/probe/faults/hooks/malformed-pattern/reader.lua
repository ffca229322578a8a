local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Is this page a draft? If so, say [DRAFT].", agneto.fence(m.inputs.page)} end,
  parse = function(reply, m)
    if reply:find("[DRAFT") then return "DRAFT", {} end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
