local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {"Do this.", agneto.fence(m.inputs.task)}
  end,
}
