local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Look for files without a licence header. One line for each: `PATH: what is missing`.",
      agneto.section("The folder", agneto.fence(m.inputs.folder)),
    }
  end,
  parse = function(reply, m)
    local findings = reply:match("\n(%S+: [^\n]+)")
    if findings then return "FINDINGS", {} end -- <-- here
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
