local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Is this answer right?", agneto.fence(m.inputs.answer)} end,
  parse = function(reply, m)
    if m.attempt > 2 and #reply < 10 then return "WRONG", {} end
    return agneto.read_verdict(reply) -- <-- here
  end,
}
