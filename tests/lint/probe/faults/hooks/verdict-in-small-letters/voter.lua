local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Vote on this proposal: for or against.", agneto.fence(m.inputs.proposal)} end,
  parse = function(reply)
    local text = reply:lower()
    if text:find("against", 1, true) then return "against", {} end -- <-- here
    if text:find("for", 1, true) then return "for", {} end -- <-- here
    return nil, "say FOR or AGAINST"
  end,
}
