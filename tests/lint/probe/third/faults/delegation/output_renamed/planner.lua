local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {"Plan the task below in steps.", agneto.fence(m.inputs.task)}
  end,
}
