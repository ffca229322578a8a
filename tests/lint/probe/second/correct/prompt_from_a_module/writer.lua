local agneto = require "agneto"
local texts = require "texts"

return {
  prompt = function(m)
    return agneto.render(texts[m.inputs.style], {inputs = m.inputs, attempt = m.attempt})
  end,
}
