local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Judge this for its " .. m.inputs.side .. ".",
      m.inputs.last and "You are the last one: be strict." or "",
      agneto.fence(m.inputs.task),
    }
  end,
}
