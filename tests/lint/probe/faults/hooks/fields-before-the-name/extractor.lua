local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"Which date does this letter name?", agneto.fence(m.inputs.letter)} end,
  parse = function(reply, m)
    local date = reply:match("%d%d%d%d%-%d%d%-%d%d")
    if date then return {date = date}, "FOUND" end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
