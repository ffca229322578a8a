local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Which label fits the issue below? Answer 'label: NAME', or 'unsure'.",
      agneto.fence(m.inputs.issue),
    }
  end,
  parse = function(reply)
    local label = reply:match("label: (%S+)")
    if not label then return "UNSURE", {} end
    return "LABELLED", {name = label} -- <-- here
  end,
}
