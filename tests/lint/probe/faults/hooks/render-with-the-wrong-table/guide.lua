local agneto = require "agneto"

local text = "Write a page about the climate of {{inputs.city}} into docs/climate.md."

return {
  prompt = function(m) return agneto.render(text, m.inputs) end, -- <-- here
}
