local agneto = require "agneto"

return {
  prompt = function(m)
    local tone
    if m.inputs.tone == "plain" then
      tone = "In plain words."
    else if m.inputs.tone == "formal" then -- <-- here
      tone = "Formally."
    else
      tone = "As you like."
    end
    return agneto.join {"Write a welcome page.", tone, agneto.fence(m.inputs.guest)}
  end,
}
