local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {"How severe is this? HIGH or LOW.", agneto.fence(m.inputs.report)}
  end,
  parse = function(reply, m)
    if reply.verdict == "HIGH" then return "HIGH", {} end -- <-- here
    if reply.verdict == "LOW" then return "LOW", {} end -- <-- here
    return nil, "say HIGH or LOW"
  end,
}
