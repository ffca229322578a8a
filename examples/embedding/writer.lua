local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Write a letter about " .. m.inputs.about .. ".",
      agneto.section("The last one", m.ctx.letter),
      agneto.section("What is wished", m.ctx.wish),
    }
  end,
}
