local agneto = require "agneto"

return {
  prompt = function(m) -- <-- here
    local text = agneto.join {
      "Translate the page below into '" .. m.inputs.language .. "'.",
      agneto.section("The page", m.inputs.page),
      "Put it beside the page, with the language in its name.",
    }
    text = agneto.render(text, m) -- <-- here
  end,
}
