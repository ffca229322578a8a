local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Is the README clear to this reader?",
      agneto.section("The reader", agneto.fence(m.inputs.audience)),
    }
  end,
  parse = function(reply, m)
    local text = reply:gsub("%s+$", "")
    agneto.read_verdict(text, m.verdicts) -- <-- here
  end,
}
