local agneto = require "agneto"

local LEVELS = {low = true, high = true}

return {
  prompt = function(m)
    return agneto.join {
      "How bad is this? The last line is `low` or `high`, or else a question.",
      agneto.fence(m.inputs.task),
    }
  end,
  parse = function(reply, m)
    local last = reply:match("([^\n]*)%s*$")
    local level = last and last:lower():match("^%s*(%a+)")
    if level and LEVELS[level] then return "SEVERITY_" .. level:upper(), {} end
    if last and last:find("?", 1, true) then return "UNCLEAR", {question = last} end
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
