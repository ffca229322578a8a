local agneto = require "agneto"

return {
  prompt = function(m)
    local how = "Keep to PEP 8."
    if m.inputs.language == "sh" or "bash" then how = "Quote every variable." end -- <-- here
    return agneto.join {"Tidy this script up.", how, agneto.fence(m.inputs.script)}
  end,
}
