local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {"Do this, " .. m.inputs.label .. ".", agneto.fence(m.inputs.task)}
  end,
}
