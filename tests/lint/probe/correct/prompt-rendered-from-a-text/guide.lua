local agneto = require "agneto"

local text = [[
Write a page about {{inputs.city}} in the language '{{inputs.language}}'.
Begin with the {{ctx.places.1}}.
]]

return {
  prompt = function(m) return agneto.render(text, m) end,
}
