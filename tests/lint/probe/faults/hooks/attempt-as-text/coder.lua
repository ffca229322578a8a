local agneto = require "agneto"

return {
  prompt = function(m)
    if m.attempt == "1" then -- <-- here
      return agneto.join {"Port this script to Python.", agneto.fence(m.inputs.script)}
    end
    return agneto.join {"Go on with the port.", agneto.fence(m.last_error)}
  end,
}
