return {
  prompt = function(m) return "Look for files without a licence." end,
  parse = function(reply, m)
    local findings = reply:match("\n(%S+: [^\n]+)")
    if findings then return "FINDINGS", {} end
    return "CLEAN", {}
  end,
}
