local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Do this.", agneto.fence(m.inputs.task)} end,
  parse = function(reply, m)
    if m.workspace.chunk.files == 0 then return nil, "nothing is changed" end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
