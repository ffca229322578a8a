local agneto = require "agneto"

return {
  prompt = function(m)
    local about = agneto.section("The subject", agneto.fence(m.inputs.subject))
    if m.state == "OUTLINE" then -- <-- here
      return agneto.join {"Outline a tutorial in docs/outline.md.", about}
    end
    return agneto.join {"Write the tutorial that docs/outline.md outlines.", about}
  end,
}
