local agneto = require "agneto"

local words = {yes = "FOR", no = "AGAINST", neither = "ABSTAIN"}

return {
  prompt = function(m)
    return agneto.join {
      "Vote on this proposal. Begin with yes, no or neither.",
      agneto.section("The proposal", agneto.fence(m.inputs.proposal)),
    }
  end,
  parse = function(reply, m)
    local verdict = words[(reply:match("^%s*(%a+)") or ""):lower()]
    if verdict then return verdict, {} end
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
