local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Judge what is in this repository by the words below. End with a line 'LGTM' where it is good.",
      agneto.fence(m.inputs.task),
    }
  end,
  parse = function(reply)
    local last = reply:match("([^\n]+)%s*$") or ""
    if last == "LGTM" then
      return "APPROVE", {} -- <-- here
    end
    return "REFUSED", {why = reply}
  end,
}
