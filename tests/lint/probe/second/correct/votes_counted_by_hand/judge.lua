local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {"Judge this for its " .. m.inputs.side .. ".", agneto.fence(m.inputs.task)}
  end,
}
